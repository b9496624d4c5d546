import { isSecretName } from '../../http/log/secret-names'
import { isRecord } from '../../is-record'

/** A value without the fields whose names mean a secret, at any depth. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isRecord(value)) return value
  const shown = Object.entries(value).filter(([name]) => !isSecretName(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, withoutSecrets(field)]))
}
