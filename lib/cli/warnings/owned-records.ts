import pluralize from 'pluralize'
import { type AllowRule, rulesOf } from '../../auth/allow-rules'
import { isReferenceTo } from '../../data/references'
import { type Data, resourceNames } from '../../data/valid-data'
import { DEFAULTS } from '../../defaults'
import { isRecord } from '../../is-record'
import { idOf } from '../../json-server/addresses'
import type { OwnerRule, OwnerRules } from '../../json-server/owners/owner-rules'
import type { Settings } from '../flags/command-line'
import type { Started } from '../started'
import type { Warnings } from './sentences'

/** Where `--private` and `--owned` do not do what people may believe, or more than that. */
export const ownedRecords: Warnings = (started) => {
  const { settings, state, ownerRules: rules } = started
  const { sandboxes } = settings
  const named = [...rules].filter(([, { areUsers }]) => !areUsers)
  return [
    ...named.map(([name, rule]) => withoutOwner(name, rule, settings, state)),
    ...closedByOwners(started).map(
      ({ method, path }) =>
        `--allow "${method} ${path}" opens nothing, because each record is somebody's: a request without a token is a 401.`,
    ),
    ...named.flatMap(([name]) => cascades(name, rules, settings, state)),
    rules.size > 0 &&
      sandboxes === true &&
      'With --sandboxes, whoever has a token can give a sandbox users of their own, and so read a copy of the records of ' +
        'others: leave it out where these matter.',
  ]
}

/** The rules of `--allow` that are for what only its owner reads or changes. */
export function closedByOwners({ allowed, ownerRules }: Started): AllowRule[] {
  const rules = [...ownerRules]
  return rulesOf(allowed).filter((opened) => rules.some(([name, rule]) => opensNothing(opened, name, rule)))
}

/** How many records nobody owns, and the field that is probably meant. */
function withoutOwner(
  name: string,
  { field, isPrivate }: OwnerRule,
  { loginUsers = DEFAULTS.loginUsers, idProperty }: Settings,
  state: Data,
): string | false {
  const records = listIn(state, name)
  const ids = new Set(
    listIn(state, loginUsers)
      .flatMap((user) => idOf(user, idProperty) ?? [])
      .map(String),
  )
  const countOf = (other: string) => records.filter((record) => ids.has(String(record[other]))).length
  const missing = records.length - countOf(field)
  if (missing === 0) return false
  const fields = [...new Set(records.slice(0, 100).flatMap(Object.keys))]
  const others = fields.filter((other) => other !== field && other !== idProperty)
  const meant = others.find((other) => countOf(other) > records.length / 2)
  const flag = isPrivate ? 'private' : 'owned'
  const advice = meant === undefined ? '' : `: did you mean --${flag} ${name}.${meant}?`
  const what = isPrivate ? 'sees' : 'changes'
  return (
    `${missing} of ${records.length} records of "${name}" name no user in ${field}, so that only --user ${what} them` +
    (advice || '.')
  )
}

/** Whether a rule of `--allow` is for what nobody has. */
function opensNothing({ lines }: AllowRule, name: string, { isPrivate, areUsers }: OwnerRule): boolean {
  const there = lines.find(({ path }) => path === `/${name}` || path === `/${name}/:id`)
  if (there === undefined || (areUsers && there.method === 'POST')) return false
  return there.method === 'GET' ? isPrivate : true
}

/** The free lists whose records take records of somebody with them, by the convention of json-server. */
function cascades(
  name: string,
  rules: OwnerRules,
  { cascade = true, foreignKeySuffix, readOnly }: Settings,
  state: Data,
): string[] {
  if (!cascade || readOnly) return []
  const fields = new Set(listIn(state, name).slice(0, 100).flatMap(Object.keys))
  return resourceNames(state)
    .filter((parent) => !rules.has(parent) && Array.isArray(state[parent]))
    .filter((parent) => [...fields].some(isReferenceTo(parent, foreignKeySuffix)))
    .map(
      (parent) =>
        `Whoever deletes a ${pluralize.singular(parent)} also deletes the ${name} of others that refer to it: --owned ` +
        `${parent}, or --no-cascade, keeps them.`,
    )
}

function listIn(state: Data, name: string): Record<string, unknown>[] {
  const content = state[name]
  return Array.isArray(content) ? content.filter(isRecord) : []
}
