#!/usr/bin/env node
// The command of the package: what `npx ts-node server.ts` is from source.
// biome-ignore lint/style/noRestrictedImports: this is where the command begins, above server.ts.
import { type AppOptions, createApp } from '../../server'
import { run, type StartOptions } from './run'

// A setting for which `createApp` has no option does not compile.
run((options: Pick<AppOptions, keyof StartOptions>) => createApp(options))
