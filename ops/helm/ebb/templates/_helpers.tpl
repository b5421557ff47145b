{{- define "ebb.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- /* The labels that choose pods: call it with (list . "api"). */}}
{{- define "ebb.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "ebb.labels" -}}
{{ include "ebb.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{- define "ebb.image" -}}
{{ required "image.repository must name where you pushed Ebb's image" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "ebb.grace" -}}
{{ add 20 (max (int .Values.drainSeconds) (int .Values.shutdownDelaySeconds)) }}
{{- end }}

{{- /* Who it is at the database: call it with (list . "node"). */}}
{{- define "ebb.database" -}}
{{- $values := (index . 0).Values }}
{{- $role := index $values.database (index . 1) }}
{{- $url := required "database.url must be the JDBC URL of your PostgreSQL" $values.database.url }}
- name: EBB_DB_URL
  value: {{ $role.url | default $url | quote }}
- name: EBB_DB_USER
  value: {{ $role.user | quote }}
- name: EBB_DB_PASSWORD_FILE
  value: /etc/ebb/database/password
- name: EBB_DB_POOLER
  value: {{ and $values.database.pooler (eq (index . 1) "node") | quote }}
{{- end }}

{{- define "ebb.databaseVolume" -}}
{{- $role := index (index . 0).Values.database (index . 1) }}
- name: database
  secret:
    secretName: {{ required (printf "database.%s.secret must name the secret with the password of %s" (index . 1) $role.user) $role.secret | quote }}
    defaultMode: 0440
    items:
      - {key: {{ $role.key | quote }}, path: password}
{{- end }}

{{- /* Those of every node and of a role, which win even where they are empty: (list . .Values.api.settings). */}}
{{- define "ebb.settings" -}}
{{- $settings := deepCopy (index . 0).Values.settings }}
{{- range $name, $value := index . 1 }}{{ $_ := set $settings $name $value }}{{ end }}
{{- with (index . 0).Values.traceHeaders }}
{{- if .secret }}
{{- if hasKey $settings "OTEL_EXPORTER_OTLP_HEADERS" }}
{{- fail "OTEL_EXPORTER_OTLP_HEADERS must be a setting or traceHeaders, not both" }}
{{- end }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom:
    secretKeyRef: {name: {{ .secret | quote }}, key: {{ .key | quote }}}
{{- end }}
{{- end }}
{{- range $name, $value := $settings }}
- name: {{ $name }}
  value: {{ kindIs "float64" $value | ternary (int64 $value) $value | toString | quote }}
{{- end }}
{{- end }}

{{- define "ebb.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- /* What the pods of every node share. */}}
{{- define "ebb.podSpec" -}}
serviceAccountName: {{ .Values.serviceAccountName | quote }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* On which machines it runs: call it with .Values.api or another that has these values. */}}
{{- define "ebb.machines" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* The pod of a node: call it with (list . "api" .Values.api ENV). */}}
{{- define "ebb.node" -}}
{{- $root := index . 0 }}
{{- $role := index . 1 }}
{{- $own := index . 2 }}
metadata:
  labels: {{- include "ebb.labels" (list $root $role) | nindent 4 }}
  {{- with $own.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "ebb.podSpec" $root | nindent 2 }}
  terminationGracePeriodSeconds: {{ include "ebb.grace" $root }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "ebb.selector" (list $root $role) | nindent 10 }}
  # A name server that keeps silent holds a thread of a worker for as long as this allows.
  dnsConfig:
    options:
      - {name: timeout, value: "2"}
      - {name: attempts, value: "2"}
  containers:
    - name: {{ $role }}
      image: {{ include "ebb.image" $root | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [{{ $role }}]
      env:
        {{- include "ebb.database" (list $root "node") | nindent 8 }}
        - name: EBB_DB_POOL
          value: {{ $root.Values.database.pool | quote }}
        - name: EBB_HTTP_HOST
          value: 0.0.0.0
        - name: EBB_HOME
          value: /var/lib/ebb
        - name: EBB_DRAIN
          value: {{ printf "%ds" (int $root.Values.drainSeconds) }}
        - name: EBB_SHUTDOWN_DELAY
          value: {{ printf "%ds" (int $root.Values.shutdownDelaySeconds) }}
        {{- if $root.Values.secretsKey.secret }}
        - name: EBB_SECRETS_KEY_FILE
          value: /etc/ebb/secrets-key/key
        {{- end }}
        {{- index . 3 | nindent 8 }}
        {{- include "ebb.settings" (list $root $own.settings) | nindent 8 }}
      ports:
        {{- if eq $role "api" }}
        - {name: http, containerPort: 8080}
        {{- end }}
        - {name: health, containerPort: 8081}
      startupProbe:
        httpGet: {path: /livez, port: health}
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /livez, port: health}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: /readyz, port: health}
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      resources: {{- toYaml $own.resources | nindent 8 }}
      {{- include "ebb.containerSecurity" $root | nindent 6 }}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        - {name: home, mountPath: /var/lib/ebb}
        - {name: database, mountPath: /etc/ebb/database, readOnly: true}
        {{- if and (eq $role "api") $root.Values.adminToken.secret }}
        - {name: admin-token, mountPath: /etc/ebb/admin-token, readOnly: true}
        {{- end }}
        {{- if $root.Values.secretsKey.secret }}
        - {name: secrets-key, mountPath: /etc/ebb/secrets-key, readOnly: true}
        {{- end }}
        {{- with $root.Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {sizeLimit: 256Mi}
    # What it remembers of its database outlives a restart of the container.
    - name: home
      emptyDir: {sizeLimit: 16Mi}
    {{- include "ebb.databaseVolume" (list $root "node") | nindent 4 }}
    {{- if and (eq $role "api") $root.Values.adminToken.secret }}
    - name: admin-token
      secret:
        secretName: {{ $root.Values.adminToken.secret | quote }}
        defaultMode: 0440
        items:
          - {key: {{ $root.Values.adminToken.key | quote }}, path: token}
    {{- end }}
    {{- if $root.Values.secretsKey.secret }}
    - name: secrets-key
      secret:
        secretName: {{ $root.Values.secretsKey.secret | quote }}
        defaultMode: 0440
        items:
          - {key: {{ $root.Values.secretsKey.key | quote }}, path: key}
    {{- end }}
    {{- with $root.Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- include "ebb.machines" $own | nindent 2 }}
{{- end }}
