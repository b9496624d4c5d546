import type { DocumentContext } from '../context'
import { NO_TOKEN } from '../responses'
import type { Operation } from '../types'

/** What {@link operation} makes an operation from. */
export interface OperationParts extends Omit<Operation, 'operationId' | 'tags' | 'security'> {
  /** The name of the operation; a number is added where another one has it. */
  readonly id: string
  readonly tag: string
  /** Whether it needs no token. */
  readonly isPublic?: true
}

/** An operation of the document, with the 401 that every operation has unless it is public. */
export function operation(
  { operationIds }: DocumentContext,
  { id, tag, isPublic, responses, ...parts }: OperationParts,
): Operation {
  return {
    operationId: operationIds.take(id),
    tags: [tag],
    security: isPublic ? [] : [{ bearerAuth: [] }],
    ...parts,
    responses: isPublic ? responses : { 401: NO_TOKEN, ...responses },
  }
}
