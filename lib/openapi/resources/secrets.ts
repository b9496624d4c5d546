import { isRecord } from '../../is-record'
import { isSecretName } from '../../secret-names'

/** What stands in an example in place of a secret text. */
export function placeholder(name: string): string {
  return /^\w+$/.test(name) ? `<${name}>` : '<secret>'
}

/** The texts in all fields with a secret name: they must not show in another field either. */
export function secretTexts(data: unknown): Set<string> {
  const texts = new Set<string>()
  const open: [value: unknown, secret: boolean][] = [[data, false]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, secret] = next
    if (typeof value === 'string' && secret) texts.add(value)
    else if (Array.isArray(value)) for (const item of value) open.push([item, secret])
    else if (isRecord(value))
      for (const [name, item] of Object.entries(value)) open.push([item, secret || isSecretName(name)])
  }
  return texts
}
