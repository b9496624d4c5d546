/** Where `--docs` serves the page; its other files are below. */
export const PAGE_PATH = '/docs'

/** Where `--docs` serves the document. */
export const DOCUMENT_PATH = '/openapi.json'
