{{- define "symbolon.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "symbolon.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "symbolon.labels" -}}
{{ include "symbolon.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- define "symbolon.isEmbedded" -}}
{{- if eq .Values.database "embedded" }}yes{{ end }}
{{- end }}

{{/* What cannot work is refused before anything is installed. */}}
{{- define "symbolon.check" -}}
{{- $shared := or .Values.files.existingClaim (hasKey .Values.settings "SYMBOLON_BLOBS") }}
{{- if include "symbolon.isEmbedded" . }}
{{- if or (gt (int .Values.web.replicas) 1) (gt (int .Values.worker.replicas) 0) }}
{{- fail "database: embedded takes one process: set web.replicas to 1 and worker.replicas to 0" }}
{{- end }}
{{- if ne .Values.strategy "Recreate" }}
{{- fail "database: embedded takes one process at a time: leave strategy at Recreate" }}
{{- end }}
{{- if has "DATABASE_URL" .Values.secret.keys }}
{{- fail "database: embedded has no DATABASE_URL: take it out of secret.keys" }}
{{- end }}
{{- else }}
{{- range list "DATABASE_URL" "SYMBOLON_SECRET" }}
{{- if not (has . $.Values.secret.keys) }}
{{- fail (printf "database: postgres wants %s in secret.keys" .) }}
{{- end }}
{{- end }}
{{- if not $shared }}
{{- fail "processes share photos and files: set SYMBOLON_BLOBS in settings, or files.existingClaim" }}
{{- end }}
{{- if and (get .Values.settings "SYMBOLON_BACKUP_TO") (not .Values.image.withPostgres) }}
{{- fail "SYMBOLON_BACKUP_TO on PostgreSQL takes an image that was built with --target postgres: name it, and set image.withPostgres to true" }}
{{- end }}
{{- end }}
{{- if and .Values.secret.keys (not .Values.secret.name) }}
{{- fail "secret.keys wants secret.name" }}
{{- end }}
{{- end }}

{{/* A pod of one container. Given: root, component, args, resources, roles (empty: all), serves, scraped. */}}
{{- define "symbolon.pod" -}}
{{- $ := .root -}}
metadata:
  labels:
    {{- include "symbolon.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
    {{- with $.Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- if and .probed $.Values.metrics.annotations }}
  annotations:
    prometheus.io/scrape: 'true'
    prometheus.io/port: '9464'
    prometheus.io/path: /metrics
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # Calls and deliveries under way end first.
  terminationGracePeriodSeconds: 60
  {{- if not .probed }}
  restartPolicy: OnFailure
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with $.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: symbolon
      image: "{{ $.Values.image.repository }}:{{ $.Values.image.tag | default $.Chart.AppVersion }}"
      imagePullPolicy: {{ $.Values.image.pullPolicy }}
      args: {{ toJson .args }}
      env:
        - name: SYMBOLON_PUBLIC_URL
          value: {{ $.Values.publicUrl | quote }}
        - name: SYMBOLON_INSTANCE
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        {{- with .roles }}
        - name: SYMBOLON_ROLES
          value: {{ . | quote }}
        {{- end }}
        {{- if and .serves (not (hasKey $.Values.settings "SYMBOLON_DRAIN_SECONDS")) }}
        # Balancers have turned to others by then.
        - name: SYMBOLON_DRAIN_SECONDS
          value: '10'
        {{- end }}
        {{- if $.Values.files.existingClaim }}
        - name: SYMBOLON_BLOBS_DIR
          value: /files
        {{- end }}
        {{- range $name, $value := $.Values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        {{- range $.Values.secret.keys }}
        - name: {{ . }}_FILE
          value: /run/secrets/symbolon/{{ . }}
        {{- end }}
      {{- if .probed }}
      ports:
        {{- if .serves }}
        - name: http
          containerPort: 8080
        {{- end }}
        - name: management
          containerPort: 9464
      # It is answered as soon as the process runs, also while the start waits for the database or upgrades it.
      livenessProbe:
        httpGet: { path: /livez, port: management }
        initialDelaySeconds: 10
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: management }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      {{- end }}
      {{- with .resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- if $.Values.files.existingClaim }}
        - name: files
          mountPath: /files
        {{- end }}
        {{- if $.Values.secret.keys }}
        - name: secret
          mountPath: /run/secrets/symbolon
          readOnly: true
        {{- end }}
  volumes:
    - name: data
      {{- if include "symbolon.isEmbedded" $ }}
      persistentVolumeClaim:
        claimName: {{ $.Values.data.existingClaim | default (printf "%s-data" (include "symbolon.name" $)) }}
      {{- else }}
      # Mails without a server, and backups while they are made.
      emptyDir: {}
      {{- end }}
    # PDF files are read in it.
    - name: tmp
      emptyDir: {}
    {{- with $.Values.files.existingClaim }}
    - name: files
      persistentVolumeClaim:
        claimName: {{ . }}
    {{- end }}
    {{- with $.Values.secret.keys }}
    - name: secret
      secret:
        secretName: {{ $.Values.secret.name }}
        defaultMode: 0440
        items:
          {{- range . }}
          - { key: {{ . }}, path: {{ . }} }
          {{- end }}
    {{- end }}
  {{- with $.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $.Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .probed }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "symbolon.selector" $ | nindent 10 }}
          app.kubernetes.io/component: {{ .component }}
  {{- end }}
{{- end }}
