import { outOfRange } from '@fairlead/invariant'
import type { Pixels } from './pixels.ts'

/** Launchers show the middle 72 of an adaptive icon's 108 units and use the rest for motion effects. */
const shown = 72 / 108
const largestSide = 288

/** A decoded image, or a colour as `#aarrggbb`. */
export type Layer = Pixels | string

/** Draws the layers over each other, the first at the bottom, and crops to the area that launchers show. */
export function composeLayers(layers: Layer[]): Pixels {
  const widths = layers.map((layer) => (typeof layer === 'string' ? 0 : Math.max(layer.width, layer.height)))
  const side = Math.min(largestSide, Math.max(1, Math.round(Math.max(...widths, 162) * shown)))
  const rgba = Buffer.alloc(side * side * 4)
  for (const layer of layers) {
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) blend(rgba, (y * side + x) * 4, sampleLayer(layer, place(x, side), place(y, side)))
    }
  }
  return { width: side, height: side, rgba }
}

type Color = [red: number, green: number, blue: number, alpha: number]

/** Maps the centre of an output pixel to a position in the layer, from 0 to 1. */
function place(at: number, side: number): number {
  return (1 - shown) / 2 + ((at + 0.5) / side) * shown
}

function sampleLayer(layer: Layer, u: number, v: number): Color {
  if (typeof layer === 'string') {
    const color = Number.parseInt(layer.slice(1), 16)
    return [(color >>> 16) & 0xff, (color >>> 8) & 0xff, color & 0xff, color >>> 24]
  }
  return sampleBilinear(layer, u * layer.width - 0.5, v * layer.height - 0.5)
}

/**
 * Bilinear interpolation between four pixels. Colours are weighted by their alpha, so that transparent pixels leave no
 * fringe.
 */
function sampleBilinear({ width, height, rgba }: Pixels, x: number, y: number): Color {
  const sum: Color = [0, 0, 0, 0]
  for (const row of [Math.floor(y), Math.floor(y) + 1]) {
    for (const column of [Math.floor(x), Math.floor(x) + 1]) {
      const weight = (1 - Math.abs(x - column)) * (1 - Math.abs(y - row))
      const at = (clamp(row, height) * width + clamp(column, width)) * 4
      const alpha = (rgba[at + 3] ?? outOfRange()) * weight
      for (let channel = 0; channel < 3; channel++)
        sum[channel] = (sum[channel] ?? outOfRange()) + (rgba[at + channel] ?? outOfRange()) * alpha
      sum[3] += alpha
    }
  }
  const alpha = sum[3]
  return alpha === 0 ? sum : [sum[0] / alpha, sum[1] / alpha, sum[2] / alpha, alpha]
}

function clamp(at: number, length: number): number {
  return Math.min(Math.max(at, 0), length - 1)
}

function blend(rgba: Buffer, at: number, color: Color): void {
  const over = color[3] / 255
  const under = (rgba[at + 3] ?? outOfRange()) / 255
  const alpha = over + under * (1 - over)
  if (alpha === 0) return
  for (let channel = 0; channel < 3; channel++) {
    const mixed = (color[channel] ?? outOfRange()) * over + (rgba[at + channel] ?? outOfRange()) * under * (1 - over)
    rgba[at + channel] = Math.round(mixed / alpha)
  }
  rgba[at + 3] = Math.round(alpha * 255)
}
