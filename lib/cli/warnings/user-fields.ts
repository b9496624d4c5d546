import { referencesIn, type Template } from '../../auth/template'
import { DEFAULTS } from '../../defaults'
import { isRecord } from '../../is-record'
import { labelOf } from '../../labels'
import { nearestName } from '../../nearest-name'
import { valueAt } from '../../value-at'
import type { Warnings } from './sentences'

/** Fields that a key names, and no user has. */
export const userFields: Warnings = ({ settings, state, fields }) => {
  const { loginUsers = DEFAULTS.loginUsers, loginFields = {} } = settings
  const users = [state[loginUsers]].flat().filter(isRecord)
  if (users.length === 0) return []
  const hasNoField = (path: readonly string[]) => users.every((user) => valueAt(user, path) === undefined)
  /** What was probably meant in place of the last part of a path. */
  const meant = (path: readonly string[]): string => {
    const [inside, wrong = ''] = [path.slice(0, -1), path.at(-1)]
    const names = users.slice(0, 20).flatMap((user) => Object.keys(Object(valueAt(user, inside))))
    const nearest = nearestName(wrong, names)
    return nearest === undefined ? 'check its name.' : `did you mean ${[...inside, nearest].join('.')}?`
  }

  const templates: Readonly<Record<string, Template | undefined>> = {
    'login-response': settings.loginResponse,
    'login-headers': settings.loginHeaders,
    'me-response': settings.meResponse,
    'token-claims': settings.tokenClaims,
  }
  const references = Object.entries(templates).flatMap(([key, template]) =>
    referencesIn(template ?? null).map((path) => ({ key, path })),
  )
  const inTemplates = references
    .filter(({ path: [name, ...path] }) => name === 'user' && path.length > 0)
    .map(({ key, path: [, ...path] }) => {
      const text = `The key ${key} names $user.${path.join('.')}`
      if (hasNoField(path)) return `${text}, which no record in "${loginUsers}" has: ${meant(path)}`
      return path.some((name) => fields.isHidden(name)) && `${text}, which no response holds, as a password.`
    })

  const { names = [], password = [] } = loginFields
  const hasLabel = (name: string) =>
    users.some((user) => Object.keys(user).some((field) => labelOf(field) === labelOf(name)))
  const ofLogins = [names, password]
    .flat()
    .filter((name) => hasNoField(name.split('.')) && !hasLabel(name))
    .map(
      (name) =>
        `The key login-fields names "${name}", which no record in "${loginUsers}" has: ${meant(name.split('.'))}`,
    )
  return [...inTemplates, ...ofLogins]
}
