import type { DocumentContext } from '../context'
import { NO_TOKEN } from '../responses'
import type { Operation } from '../types'

/** What is said of one operation alone. */
export interface OperationParts extends Omit<Operation, 'operationId' | 'tags' | 'security'> {
  /** The name of the operation, when no other one has it. */
  readonly id: string
  readonly tag: string
  /** Whether it needs no token. */
  readonly isPublic?: true
}

/** An operation of the document. Without a token it is refused, unless it is public. */
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
