import type { DeviceRecord } from '../devices/device.ts'
import { html, type Html } from '../html/html.ts'
import { toShownText } from '../install/shown-text.ts'
import type { TesterPage } from './tester-page.ts'

/** Lists the devices of a tester, and says who will see what before another one is added. */
export function renderDevices({ devices, isAppleDevice, builds, tester, path, language }: TesterPage): Html | null {
  const hasAppleBuild = builds.some(({ platform }) => platform === 'ios')
  if (devices.length === 0 && !(isAppleDevice && hasAppleBuild)) return null
  const words = language.words.devices
  return html`<section class="devices">
    <h2>${words.title}</h2>
    ${
      devices.length === 0
        ? null
        : html`<ul>
            ${devices.map((device) => renderDevice(device, path, words.remove))}
          </ul>`
    }
    ${
      isAppleDevice
        ? html`<p class="quiet">${words.why(toShownText(tester.workspace_name))}</p>
            <p><a class="action second" href="${path}/device.mobileconfig">${words.add}</a></p>
            <p class="quiet">${words.steps}</p>`
        : null
    }
  </section>`
}

function renderDevice({ id, name, udid }: DeviceRecord, path: string, remove: string): Html {
  return html`<li>
    <span><bdi>${toShownText(name)}</bdi> <span class="quiet">${udid}</span></span>
    <form method="post" action="${path}/devices">
      <input type="hidden" name="remove" value="${id}" />
      <button type="submit" aria-label="${remove}: ${toShownText(name)}">${remove}</button>
    </form>
  </li>`
}
