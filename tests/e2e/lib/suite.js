'use strict'
// One server for the tests of one file: it is started before them and stopped after them. The
// message of a failing test contains the end of the server's log.

const assert = require('node:assert/strict')
const { after, before, describe, it } = require('node:test')
const { Clients } = require('./clients')
const { Server } = require('./server')

// suite(name, options, define): define({ check, server(), raw(), node(), sdk(), deploy() }). Options
// are those of Server.start, and `concurrency`: how many tests may wait at the same time.
function suite(name, options, define) {
  describe(name, { concurrency: options.concurrency || 1, timeout: 300_000 }, () => {
    const fixture = {}
    before(async () => {
      fixture.running = await Server.start(options)
      fixture.clients = new Clients(fixture.running)
    })
    after(async () => {
      if (!fixture.running) return
      await fixture.clients.close()
      const exit = await fixture.running.stop()
      assert.equal(exit.code, 0, `the server ended with ${exit.signal || exit.code}\n${fixture.running.tail()}`)
    })
    define({
      server: () => fixture.running,
      raw: () => fixture.clients.raw(),
      node: (more) => fixture.clients.node(more),
      sdk: (more) => fixture.clients.sdk(more),
      // Deploys XML under a file name; returns the metadata of its first process.
      deploy: async (xml, file = 'process.bpmn') => {
        const answer = await fixture.clients
          .raw()
          .call('DeployResource', { resources: [{ name: file, content: Buffer.from(xml) }] })
        return answer.deployments[0].process
      },
      check: (what, body) =>
        it(what, { timeout: 120_000 }, async (context) => {
          try {
            await body(context)
          } catch (error) {
            const log = fixture.running ? fixture.running.tail(40) : 'the server did not start'
            error.message += `\n--- server log ---\n${log}`
            if (error.stack) error.stack = `${error.message}\n${error.stack}`
            throw error
          }
          assert.ok(fixture.running.alive, `the server is gone\n${fixture.running.tail()}`)
        }),
    })
  })
}

module.exports = { suite }
