{{/* The length leaves space for the suffixes of names and labels: a StatefulSet appends 11 characters for its pods. */}}
{{- define "equipoise.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 28 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc 18 | trimSuffix "-") .Chart.Name -}}
{{- end -}}
{{- end -}}

{{/* Takes a dict of root and component. Selectors are immutable, so these labels never change. */}}
{{- define "equipoise.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Takes a dict of root and component. For objects only: on pods, the version would restart all of them with each new version of the chart. */}}
{{- define "equipoise.labels" -}}
{{ include "equipoise.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Takes a dict of root and name. */}}
{{- define "equipoise.image" -}}
{{ .root.Values.images.prefix }}{{ .name }}:{{ .root.Values.images.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{- define "equipoise.scheme" -}}
{{ ternary "https" "http" (ne .Values.service.tls.existingSecret "") }}
{{- end -}}

{{/* Path below which the service answers, without a final slash; empty for the root. */}}
{{- define "equipoise.path" -}}
{{ trimSuffix "/" .Values.ingress.path }}
{{- end -}}

{{/* Address of the service in the namespace. */}}
{{- define "equipoise.address" -}}
{{ include "equipoise.scheme" . }}://{{ include "equipoise.fullname" . }}:8080{{ include "equipoise.path" . }}
{{- end -}}

{{- define "equipoise.databaseHost" -}}
{{ ternary (printf "%s-database" (include "equipoise.fullname" .)) .Values.database.host .Values.postgresql.bundled }}
{{- end -}}

{{- define "equipoise.checkpointClaim" -}}
{{ .Values.checkpoints.folder.existingClaim | default (printf "%s-checkpoints" (include "equipoise.fullname" .)) }}
{{- end -}}
