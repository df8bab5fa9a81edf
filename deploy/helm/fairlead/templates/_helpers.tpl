{{- define "fairlead.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "fairlead.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "fairlead.labels" -}}
{{ include "fairlead.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "fairlead.secret" -}}
{{ .Values.existingSecret | default (include "fairlead.name" .) }}
{{- end }}

{{- define "fairlead.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- /* Whether the pod keeps what must survive it: the embedded database, or files. */ -}}
{{- define "fairlead.isKeeping" -}}
{{- if not (or .Values.existingSecret (and .Values.database.url .Values.objectStore.url)) }}yes{{ end }}
{{- end }}

{{- define "fairlead.host" -}}
{{ .Values.ingress.host | default (regexReplaceAll "^https?://([^/:]+).*$" .Values.baseUrl "${1}") }}
{{- end }}

{{- define "fairlead.check" -}}
{{- if not (regexMatch "^https?://[^/]+" .Values.baseUrl) }}
{{- fail "baseUrl is required: the address that every link starts with, such as https://builds.example.com" }}
{{- end }}
{{- if and (include "fairlead.isKeeping" .) (gt (int .Values.replicas) 1) }}
{{- fail "more than one replica needs database.url and objectStore.url, or existingSecret with both; or set replicas to 1" }}
{{- end }}
{{- end }}
