import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { makeIdentify } from '../../lib/accounts/identify'
import { makeIndexes } from '../../lib/accounts/people-index'
import type { PersonFields, User } from '../../lib/auth/person-fields'

/** A request of a client that does not go. */
export function pendingRequest(): IncomingMessage {
  return new IncomingMessage(new Socket())
}

/** Finds out whom the body of a login means, as a server with these fields does. */
export function identifyBy(fields: PersonFields, { anyPassword = false } = {}) {
  const identify = makeIdentify(fields, { anyPassword, indexOf: makeIndexes(fields) })
  return (body: User, groups: readonly (readonly unknown[])[]) => identify(body, groups, pendingRequest())
}
