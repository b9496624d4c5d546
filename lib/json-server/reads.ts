import { logNotes } from '../http/log/log-notes'
import type { Exchange } from './exchange'
import { newerHint } from './newer-queries'
import { asksForRelations, checkListQuery, checkRelations } from './query-checks'

/**
 * Refuses a read of a collection on which json-server would fail, and notes what json-server 1.0 reads in it.
 *
 * @param isList whether the list is read, and not a record
 * @throws HttpError 400 as {@link checkRelations} and {@link checkListQuery} do
 */
export function checkRead(
  { request, response, transaction }: Exchange,
  { collection, isList }: { collection: readonly unknown[]; isList: boolean },
): void {
  const { query } = request
  if (isList) checkListQuery(query)
  if (asksForRelations(query)) checkRelations(query)
  const hasField = (name: string) => collection.some((record) => Object.hasOwn(Object(record), name))
  const hint = newerHint(query, hasField, (other) => transaction.hasResource(other))
  if (hint !== undefined) logNotes(response).reason = hint
}
