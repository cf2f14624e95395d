'use strict'
// Runs README.md: every command after a prompt, in the order of the file, against a new server, and
// compares its output with the file. "..." matches any text.
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { execFile } = require('node:child_process')
const { after, before, describe, it } = require('node:test')
const { BINARY, ROOT, Server, temporaryDirectory } = require('./lib/server')

// Returns the commands of a text as { line, command, output }: they are in blocks that are indented
// by four spaces and begin with a prompt.
function commandsOf(text) {
  const commands = []
  let inBlock = false
  let current
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('    $ ')) {
      current = { line: index + 1, command: line.slice(6), output: [] }
      commands.push(current)
      inBlock = true
    } else if (inBlock && line.startsWith('    ')) {
      if (current.output.length === 0 && current.command.endsWith('\\')) {
        current.command = `${current.command}\n${line.slice(4)}`
      } else {
        current.output.push(line.slice(4))
      }
    } else if (inBlock && line === '') {
      current.output.push('')
    } else {
      inBlock = false
    }
  }
  for (const command of commands) command.output = command.output.join('\n').trim()
  return commands
}

const README = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8')
const commands = commandsOf(README)

function matches(printed, shown) {
  const pattern = shown
    .split('...')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*')
  return new RegExp(`^${pattern}$`).test(printed)
}

describe('README', { timeout: 300_000 }, () => {
  const folder = temporaryDirectory()
  let server
  before(async () => {
    // Like the reader's checkout: the examples, the binary, and the data in the server's default
    // place.
    fs.cpSync(path.join(ROOT, 'examples'), path.join(folder, 'examples'), { recursive: true })
    fs.mkdirSync(path.join(folder, 'build'))
    fs.symlinkSync(path.dirname(BINARY), path.join(folder, 'build/release'))
    server = await Server.start({ dataDirectory: path.join(folder, 'data') })
  })
  after(() => server?.kill())

  // The server has other ports than the file.
  const here = (text) => text.replaceAll('127.0.0.1:26500', server.address).replaceAll('127.0.0.1:9600', server.httpAddress)

  async function run(command) {
    if (command.startsWith('npm install ')) {
      // The modules that the tests have installed already.
      fs.symlinkSync(path.join(__dirname, 'node_modules'), path.join(folder, 'node_modules'))
      return ''
    }
    if (/--data data\b/.test(command)) await server.stop()
    return new Promise((resolve) => {
      execFile(
        '/bin/bash',
        ['-c', here(command)],
        {
          cwd: folder,
          timeout: 120_000,
          env: {
            ...process.env,
            PATH: `${folder}/build/release:${process.env.PATH}`,
            BEELINE_ADDRESS: server.address,
            BEELINE_HTTP: server.httpAddress,
          },
        },
        (error, stdout, stderr) => resolve(error && !stdout && !stderr ? String(error) : stdout + stderr),
      )
    })
  }

  it('has commands to run', () => assert.ok(commands.length >= 20, `${commands.length} commands`))

  for (const { line, command, output } of commands) {
    it(`line ${line}: ${command.split('\n')[0]}`, async () => {
      const printed = (await run(command)).replaceAll('\r', '').trim()
      const shown = here(output)
      assert.ok(matches(printed, shown), `expected\n${shown}\nbut it printed\n${printed}`)
    })
  }
})
