#!/usr/bin/env node
// The command of the package. It stands apart from the library, so that who requires that loads no command line.
// biome-ignore lint/style/noRestrictedImports: this is where the command begins, above server.ts.
import { type AppOptions, createApp } from '../../server'
import { run } from './run'

run<Required<AppOptions>>(createApp)
