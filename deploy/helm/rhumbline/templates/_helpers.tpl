{{- define "rhumbline.name" -}}
{{- if contains "rhumbline" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-rhumbline" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "rhumbline.selector" -}}
app.kubernetes.io/name: rhumbline
app.kubernetes.io/instance: {{ .release | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "rhumbline.labels" -}}
app.kubernetes.io/name: rhumbline
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "rhumbline.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest }}{{ $image.repository }}@{{ $image.digest }}{{ else }}{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* What the pods of api, worker and migration have in common. */}}
{{- define "rhumbline.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: settings
    secret:
      secretName: {{ .Values.settings.secret }}
      defaultMode: 0440
      items: [{key: {{ .Values.settings.key | quote }}, path: rhumbline.toml}]
  - name: tmp
    emptyDir: {sizeLimit: 64Mi}
{{- end }}

{{- define "rhumbline.container" -}}
image: {{ include "rhumbline.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: settings, mountPath: /etc/rhumbline, readOnly: true}
  - {name: tmp, mountPath: /tmp}
env:
  - {name: RHUMBLINE_CONFIG, value: /etc/rhumbline/rhumbline.toml}
  - {name: RHUMBLINE_BASE_URL, value: {{ .Values.baseUrl | quote }}}
  # The workers follow the chains.
  - {name: RHUMBLINE_TRACKING__ENABLED, value: "false"}
  - name: RHUMBLINE_STORE__DSN
    valueFrom: {secretKeyRef: {name: {{ .Values.store.secret }}, key: {{ .Values.store.key | quote }}}}
  {{- if .Values.redis.secret }}
  - name: RHUMBLINE_LIMITS__REDIS_URL
    valueFrom: {secretKeyRef: {name: {{ .Values.redis.secret }}, key: {{ .Values.redis.key | quote }}}}
  {{- end }}
  {{- if .Values.trustedProxies }}
  - {name: RHUMBLINE_SERVER__TRUSTED_PROXIES, value: {{ .Values.trustedProxies | toJson | quote }}}
  {{- end }}
  {{- with .Values.env }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Live: the process answers. Ready: the store and its clock can be used; nodes and upstreams do not count. */}}
{{- define "rhumbline.probes" -}}
startupProbe:
  httpGet: {path: /health/ready, port: metrics}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /health/live, port: metrics}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /health/ready, port: metrics}
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 2
{{- end }}

{{- define "rhumbline.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "rhumbline.selector" . | nindent 8 }}
{{- end }}
