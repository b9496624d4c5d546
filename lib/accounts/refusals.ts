import { readRefusalTemplate, readTemplate, type Template } from '../auth/template'
import type { TokenRefusal } from '../auth/unauthorized-body'
import { HttpError, type HttpErrorOptions, UnauthorizedError } from '../errors'
import { isRecord } from '../is-record'
import { type Problem, readRecordRefusal } from '../json-server/record-refusal'
import type { NotIdentified } from './identify'

/** How an application has a request refused. */
export interface RefusalSettings {
  readonly status: number
  /** Whether the body is the application's own. */
  readonly hasOwnBody: boolean
  /** Makes the body; undefined for an error that has another, as one that says what is wrong with fields. */
  readonly body: (error: HttpError) => unknown
}

/** A login that is refused. Beside the sentence, its response can say for which reason. */
export class RefusedLogin extends HttpError {
  readonly why: NotIdentified['why']

  constructor({ why, ...options }: HttpErrorOptions & Pick<NotIdentified, 'why'>) {
    super(options)
    this.why = why
  }
}

/**
 * Somebody who is not stored as it was sent: without a name or a password, or with a name of somebody else. Unlike what does
 * not fit a schema, this has the body that the application has for the route, whether it says the fields or not.
 */
class RefusedPerson extends HttpError {}

/** How somebody is refused. */
export interface PersonRefusal {
  /** Whether the application chooses the form in which fields are said. */
  readonly hasOwnBody: boolean
  /** Makes the error for what is wrong with fields. */
  readonly refuse: (
    problems: readonly Problem[],
    error: Pick<HttpErrorOptions, 'status' | 'message' | 'reason'>,
  ) => HttpError
}

/**
 * Reads how somebody is refused: in the same form as what does not fit a schema.
 *
 * @throws OptionError for what is neither a status nor a template
 */
export function readPersonRefusal(schemaRefusal: Template | undefined): PersonRefusal {
  const { hasOwnBody, withProblems } = readRecordRefusal(schemaRefusal)
  return { hasOwnBody, refuse: (problems, error) => new RefusedPerson(withProblems(problems, error)) }
}

/** What a person is told whose login is refused: not whether a name is somebody's. */
export function sentenceAbout(why: NotIdentified['why']): string {
  return why === 'locked' ? 'This account may not log in.' : 'Wrong name or password.'
}

const REFUSAL_BODY: Template = { message: '$message', error: '$message' }

/** What every refusal can say, and that of a sign-up with something wrong in a field. */
const REFUSAL_VALUES = ['message', 'status'] as const
const SIGN_UP_REFUSAL_VALUES = [...REFUSAL_VALUES, 'errors', 'first', 'list', 'texts'] as const

type RefusalValue = (typeof SIGN_UP_REFUSAL_VALUES)[number] | 'reason'

/**
 * Reads how a login is refused, and what else goes wrong for who uses it. That a token is needed is said by the token check.
 *
 * @throws OptionError for what is neither a status nor one with a body
 */
export function readLoginRefusal(given: Template | undefined): RefusalSettings {
  const names = [...REFUSAL_VALUES, 'reason'] as const
  const refusal = readRefusal(given, { option: 'login-refusal', usual: 401, names })
  return {
    ...refusal,
    body: (error) => (error instanceof UnauthorizedError ? undefined : refusal.body(error)),
  }
}

/** @throws OptionError for what is neither a status nor one with a body */
export function readSignUpRefusal(given: Template | undefined): RefusalSettings {
  return readRefusal(given, { option: 'sign-up-refusal', usual: 409, names: SIGN_UP_REFUSAL_VALUES })
}

function readRefusal(
  given: Template | undefined,
  { option, usual, names }: { option: string; usual: number; names: readonly RefusalValue[] },
): RefusalSettings {
  const values = { option, names }
  const { status, fill, hasOwnBody } = readRefusalTemplate(
    given,
    { status: usual, body: REFUSAL_BODY },
    values,
  )
  const saysFields = hasOwnBody && names.includes('errors')
  return {
    status,
    hasOwnBody,
    body(error) {
      const { message, status: own, details } = error
      const isOfRoute = saysFields || (hasOwnBody && error instanceof RefusedPerson)
      if (details !== undefined && !isOfRoute) return undefined
      const fields = details ?? { errors: {}, first: {}, list: [], texts: [message] }
      // Its own reason is a clause for the log.
      const reason = error instanceof RefusedLogin ? error.why : undefined
      return fill({ ...fields, message, status: own, reason }) ?? null
    },
  }
}

/**
 * Reads how the token check refuses: the template of a body, or exactly `{ status, body }`, where the status is a number.
 *
 * @throws OptionError for a status that no refusal can have
 */
export function readTokenRefusal(given: Template | undefined): TokenRefusal | undefined {
  if (given === undefined) return undefined
  const isWithStatus =
    isRecord(given) && Object.keys(given).sort().join() === 'body,status' && typeof given.status === 'number'
  const values = { option: 'token-refusal', names: REFUSAL_VALUES }
  const { status, fill } = isWithStatus
    ? readRefusalTemplate(given, { status: 401, body: '$message' }, values)
    : { status: 401, fill: readTemplate(given, values) }
  return { status, body: (message) => fill({ message, status }) }
}
