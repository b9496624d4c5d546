import type { Request, Response } from 'express'
import type { Transaction } from './transaction'

/** A request for a resource. */
export interface Exchange {
  readonly request: Request
  readonly response: Response
  /** The data that the request reads and changes. */
  readonly transaction: Transaction
}
