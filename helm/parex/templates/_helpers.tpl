{{- define "parex.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- /* Also the name of the service and the world. 52 characters leave room in a label for the hash that the
StatefulSet's controller appends, and in the names of pods for the rank. */}}
{{- define "parex.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else if contains (include "parex.name" .) .Release.Name }}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "parex.name" .) | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- /* What a selector may use: never changes in the life of a release. */}}
{{- define "parex.selectorLabels" -}}
app.kubernetes.io/name: {{ include "parex.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "parex.labels" -}}
{{ include "parex.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/component: rank
app.kubernetes.io/part-of: parex
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}
