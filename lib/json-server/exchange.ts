import type { Request, Response } from 'express'
import type { Transaction } from './transaction'

/** A request for a resource. */
export interface Exchange {
  readonly request: Request
  readonly response: Response
  /** What it reads and changes. */
  readonly transaction: Transaction
}
