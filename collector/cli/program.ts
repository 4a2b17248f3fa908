import { Command } from 'commander';
import { VERSION } from '../lib/version.ts';
import { alertCommand } from './alert-command.ts';
import { annotateCommand } from './annotate-command.ts';
import { backupCommand } from './backup-command.ts';
import { checkCommand } from './check-command.ts';
import { clockCommand } from './clock-command.ts';
import { demoCommand } from './demo-command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { eraseCommand } from './erase-command.ts';
import { exportCommand } from './export-command.ts';
import { importCommand } from './import-command.ts';
import { journeyCommand } from './journey-command.ts';
import { loadCommand } from './load-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { packageCommand } from './package-command.ts';
import { policyCommand } from './policy-command.ts';
import { probeCommand } from './probe-command.ts';
import { reportCommand } from './report-command.ts';
import { serveCommand } from './serve-command.ts';
import { settingsCommand } from './settings-command.ts';
import { controlOption } from './store-option.ts';
import { targetCommand } from './target-command.ts';
import { tokenCommand } from './token-command.ts';

/** Every command, in the order of `lastbyte --help`. */
const COMMANDS: readonly (() => Command)[] = [
  serveCommand,
  demoCommand,
  probeCommand,
  journeyCommand,
  loadCommand,
  targetCommand,
  tokenCommand,
  settingsCommand,
  annotateCommand,
  packageCommand,
  policyCommand,
  reportCommand,
  exportCommand,
  importCommand,
  alertCommand,
  backupCommand,
  migrateCommand,
  eraseCommand,
  checkCommand,
  clockCommand,
  doctorCommand,
];

export function createProgram(): Command {
  const program = new Command('lastbyte')
    .description(
      'What do your users really wait for, from connect to last byte, and is it TLS, the network or the server?',
    )
    .version(VERSION);
  for (const command of COMMANDS) program.addCommand(command());
  return throwing(withControl(program));
}

/** Whatever opens a collector's data folder has to know where its control data is. The demo has its own folder, without a default. */
function withControl(command: Command): Command {
  if (command.options.some(({ long, defaultValue }) => long === '--data' && defaultValue !== undefined))
    command.addOption(controlOption());
  for (const child of command.commands) withControl(child);
  return command;
}

/** Throws errors instead of ending the process, so that one place sets the exit code. */
function throwing(command: Command): Command {
  command.exitOverride();
  for (const child of command.commands) throwing(child);
  return command;
}
