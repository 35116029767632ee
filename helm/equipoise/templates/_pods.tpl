{{/* The common settings of all pods. Takes a dict of root and user. */}}
{{- define "equipoise.pod" -}}
serviceAccountName: {{ include "equipoise.fullname" .root }}
automountServiceAccountToken: false
# Kubernetes would add variables with service addresses, which could be read as settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .root.Values.images.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Keeps the pods of our images on nodes for whose processors these are built. */}}
{{- define "equipoise.nodes" -}}
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
        - matchExpressions:
            - {key: kubernetes.io/os, operator: In, values: [linux]}
            - {key: kubernetes.io/arch, operator: In, values: {{ toJson .Values.images.platforms }}}
{{- end -}}

{{- define "equipoise.container" -}}
imagePullPolicy: {{ .Values.images.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end -}}
