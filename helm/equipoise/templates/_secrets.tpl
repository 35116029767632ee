{{- define "equipoise.tokensSecret" -}}
{{ .Values.tokens.existingSecret | default (printf "%s-tokens" (include "equipoise.fullname" .)) }}
{{- end -}}

{{- define "equipoise.databaseSecret" -}}
{{ ternary (printf "%s-database" (include "equipoise.fullname" .)) .Values.database.existingSecret.name .Values.postgresql.bundled }}
{{- end -}}

{{- define "equipoise.databasePasswordKey" -}}
{{ ternary "password" .Values.database.existingSecret.key .Values.postgresql.bundled }}
{{- end -}}

{{/* The data of a Secret in the cluster. Keys of `make` that it lacks get their prefix and 256 random bits, which one
rendering draws only once, so that all templates see the same value. Takes a dict of root, name and make. */}}
{{- define "equipoise.secretData" -}}
{{- $known := printf "data of %s" .name -}}
{{- if not (hasKey .root.Values $known) -}}
{{- $data := (lookup "v1" "Secret" .root.Release.Namespace .name).data | default dict -}}
{{- range $key, $prefix := .make -}}
{{- $random := randBytes 32 | replace "+" "-" | replace "/" "_" | trimSuffix "=" -}}
{{- $_ := set $data $key (get $data $key | default (printf "%s%s" $prefix $random | b64enc)) -}}
{{- end -}}
{{- $_ := set .root.Values $known $data -}}
{{- end -}}
{{- toYaml (get .root.Values $known) -}}
{{- end -}}

{{- define "equipoise.tokensData" -}}
{{- $make := ternary dict (dict "administrator-token" "eqp_" "join-token" "eqj_") (ne .Values.tokens.existingSecret "") -}}
{{- include "equipoise.secretData" (dict "root" . "name" (include "equipoise.tokensSecret" .) "make" $make) -}}
{{- end -}}

{{- define "equipoise.databaseData" -}}
{{- $make := ternary (dict "password" "") dict .Values.postgresql.bundled -}}
{{- include "equipoise.secretData" (dict "root" . "name" (include "equipoise.databaseSecret" .) "make" $make) -}}
{{- end -}}

{{/* The Secrets that the service reads as files; each file has the name of its setting. */}}
{{- define "equipoise.serviceSecrets" -}}
- secret:
    name: {{ include "equipoise.tokensSecret" . }}
    items:
      - {key: administrator-token, path: equipoise.account.administrator-token}
      - {key: join-token, path: equipoise.account.join-token}
- secret:
    name: {{ include "equipoise.databaseSecret" . }}
    items:
      - {key: {{ include "equipoise.databasePasswordKey" . }}, path: spring.datasource.password}
{{- if eq .Values.checkpoints.storage "s3" }}
- secret:
    name: {{ .Values.checkpoints.s3.existingSecret.name }}
    items:
      - {key: {{ .Values.checkpoints.s3.existingSecret.key }}, path: equipoise.checkpoint.s3.secret-key}
{{- end }}
{{- if .Values.oidc.issuer }}
- secret:
    name: {{ .Values.oidc.existingSecret.name }}
    items:
      - {key: {{ .Values.oidc.existingSecret.key }}, path: equipoise.oidc.client-secret}
{{- end }}
{{- end -}}

{{/* Changes with the certificate by which agents verify the service, if the chart is rendered with access to the cluster.
Empty without TLS. */}}
{{- define "equipoise.authorityChecksum" -}}
{{- with .Values.service.tls.existingSecret -}}
{{- $data := fromYaml (include "equipoise.secretData" (dict "root" $ "name" . "make" dict)) -}}
{{- get $data "ca.crt" | sha256sum -}}
{{- end -}}
{{- end -}}

{{/* Changes with the content of these Secrets, and of existing ones if the chart is rendered with access to the cluster. */}}
{{- define "equipoise.serviceSecretsChecksum" -}}
{{- $all := list (include "equipoise.tokensData" .) (include "equipoise.databaseData" .) -}}
{{- range list .Values.database.caSecret.name .Values.checkpoints.s3.existingSecret.name .Values.oidc.existingSecret.name | compact -}}
{{- $all = append $all (include "equipoise.secretData" (dict "root" $ "name" . "make" dict)) -}}
{{- end -}}
{{- toJson $all | sha256sum -}}
{{- end -}}
