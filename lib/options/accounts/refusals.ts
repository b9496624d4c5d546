import type { HttpError } from '../../errors'
import type { AccountSettings } from './account-settings'
import { fillTemplate } from './template'

/** Makes the body of a refusal: of whatever goes wrong with a request for an account. */
export function refusalBody({ refusalBody: template }: AccountSettings): (error: HttpError) => unknown {
  return ({ message, status }) => fillTemplate(template, { message, status })
}

/** Makes the body of the token check's 401 from a sentence; undefined where it is as usual. */
export function tokenRefusalBody({
  tokenRefusal,
}: AccountSettings): ((message: string) => unknown) | undefined {
  return tokenRefusal === undefined
    ? undefined
    : (message) => fillTemplate(tokenRefusal, { message, status: 401 })
}
