'use strict'
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { refused } = require('./lib/clients')
const { definitions, end, oneTask, process, service, start } = require('./lib/models')
const { unique } = require('./lib/wait')

suite('deployment', {}, ({ check, raw, node, sdk }) => {
  const resource = (name, xml) => ({ name, content: Buffer.from(xml) })
  const deployAll = (...resources) => raw().call('DeployResource', { resources })

  check('[6] one file: key, version 1, definition key, resource name, tenant', async () => {
    const id = unique('deploy')
    const answer = await deployAll(resource('order.bpmn', oneTask(id, 'x')))
    assert.ok(BigInt(answer.key) > 0n)
    assert.equal(answer.tenantId, '<default>')
    assert.equal(answer.deployments.length, 1)
    const { process: metadata } = answer.deployments[0]
    assert.equal(metadata.bpmnProcessId, id)
    assert.equal(metadata.version, 1)
    assert.ok(BigInt(metadata.processDefinitionKey) > 0n)
    assert.equal(metadata.resourceName, 'order.bpmn')
    assert.equal(metadata.tenantId, '<default>')
  })

  check('UTF-16 and ISO 8859-1 are read', async () => {
    const named = (id, encoding) =>
      definitions(`<bpmn:process id="${id}" isExecutable="true"><bpmn:startEvent id="s" /></bpmn:process>`).replace(
        'UTF-8',
        encoding,
      )
    const [wide, latin] = [unique('prüfen'), unique('prüfen')]
    const answer = await deployAll(
      { name: 'wide.bpmn', content: Buffer.from(`\ufeff${named(wide, 'UTF-16')}`, 'utf16le') },
      { name: 'latin.bpmn', content: Buffer.from(named(latin, 'ISO-8859-1'), 'latin1') },
    )
    assert.deepEqual(
      answer.deployments.map((entry) => entry.process.bpmnProcessId),
      [wide, latin],
    )
  })

  check('what is not built is refused by the name of the element and of the extension', async () => {
    const listener =
      '<zeebe:executionListeners><zeebe:executionListener eventType="end" type="l" /></zeebe:executionListeners>'
    const xml = definitions(`<bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="begin">
      <bpmn:extensionElements>${listener}</bpmn:extensionElements></bpmn:startEvent></bpmn:process>`)
    await refused(deployAll(resource('p.bpmn', xml)), 'INVALID_ARGUMENT', /Element: begin\s+- ERROR: must not have 'zeebe:executionListeners'/)
    await refused(deployAll(resource('ask.form', '{}')), 'INVALID_ARGUMENT', /'ask.form': forms are not built yet/)
    const odd = definitions('<bpmn:process id="1 bad" isExecutable="true"><bpmn:startEvent id="s" /></bpmn:process>')
    await refused(deployAll(resource('p.bpmn', odd)), 'INVALID_ARGUMENT', /Element: 1 bad\s+- ERROR: must have an id/)
  })

  check('[7] the same file again is no new version; a changed one is', async () => {
    const id = unique('again')
    const first = await deployAll(resource('a.bpmn', oneTask(id, 'x')))
    const second = await deployAll(resource('a.bpmn', oneTask(id, 'x')))
    assert.notEqual(second.key, first.key)
    assert.deepEqual(second.deployments, first.deployments)
    const changed = await deployAll(resource('a.bpmn', oneTask(id, 'y')))
    assert.equal(changed.deployments[0].process.version, 2)
    assert.notEqual(
      changed.deployments[0].process.processDefinitionKey,
      first.deployments[0].process.processDefinitionKey,
    )
    const back = await deployAll(resource('a.bpmn', oneTask(id, 'x')))
    assert.equal(back.deployments[0].process.version, 3)
  })

  check('another file name is a new version; one changed file renews all of the call', async () => {
    const [a, b] = [unique('a'), unique('b')]
    await deployAll(resource('a.bpmn', oneTask(a, 'x')), resource('b.bpmn', oneTask(b, 'x')))
    const renamed = await deployAll(resource('other.bpmn', oneTask(a, 'x')))
    assert.equal(renamed.deployments[0].process.version, 2)
    const both = await deployAll(resource('other.bpmn', oneTask(a, 'x')), resource('b.bpmn', oneTask(b, 'y')))
    assert.deepEqual(
      both.deployments.map((entry) => entry.process.version),
      [3, 2],
    )
  })

  check('a file with two processes yields two; those not executable are left out', async () => {
    const [a, b] = [unique('two'), unique('two')]
    const body = (id, executable) =>
      `<bpmn:process id="${id}" isExecutable="${executable}"><bpmn:startEvent id="s_${id}" /></bpmn:process>`
    const two = await deployAll(resource('two.bpmn', definitions(body(a, true) + body(b, true))))
    assert.deepEqual(two.deployments.map((entry) => entry.process.bpmnProcessId).sort(), [a, b].sort())
    const one = await deployAll(resource('one.bpmn', definitions(body(unique('no'), false) + body(unique('yes'), true))))
    assert.equal(one.deployments.length, 1)
  })

  check('[9] one broken file refuses all, names the file, and nothing is deployed', async () => {
    const id = unique('valid')
    await refused(
      deployAll(resource('good.bpmn', oneTask(id, 'x')), resource('broken.bpmn', '<oops')),
      'INVALID_ARGUMENT',
      /^Command 'CREATE' rejected with code 'INVALID_ARGUMENT': Expected to deploy new resources, but encountered the following errors:\n[\s\S]*'broken\.bpmn': /,
    )
    await refused(
      raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1 }),
      'NOT_FOUND',
      `process ID '${id}', but none found`,
    )
  })

  check('every mistake of a model is listed with its element', async () => {
    const xml = process('mistakes', [start(), service('no_type', { type: '' }), end()]).replace(
      '<bpmn:endEvent id="end">',
      '<bpmn:serviceTask id="bare"></bpmn:serviceTask><bpmn:endEvent id="end">',
    )
    const error = await refused(deployAll(resource('m.bpmn', xml)), 'INVALID_ARGUMENT', '- Element: no_type')
    assert.ok(error.details.includes('- Element: bare'), error.details)
    assert.ok(error.details.includes('    - ERROR: '), error.details)
  })

  check('[10] no resources at all', async () => {
    await refused(
      deployAll(),
      'INVALID_ARGUMENT',
      "Command 'CREATE' rejected with code 'INVALID_ARGUMENT': Expected to deploy at least one resource, but none given",
    )
  })

  check('the same process id in two files', async () => {
    const id = unique('twice')
    await refused(
      deployAll(resource('a.bpmn', oneTask(id, 'x')), resource('b.bpmn', oneTask(id, 'x'))),
      'INVALID_ARGUMENT',
      `Duplicated process id '${id}' in resources 'a.bpmn' and 'b.bpmn'`,
    )
  })

  check('a file that is no BPMN', async () => {
    await refused(deployAll(resource('readme.txt', 'hello')), 'INVALID_ARGUMENT', 'readme.txt')
  })

  check('[11] the deprecated DeployProcess still works', async () => {
    const id = unique('old')
    const answer = await raw().call('DeployProcess', {
      processes: [{ name: 'old.bpmn', definition: Buffer.from(oneTask(id, 'x')) }],
    })
    assert.equal(answer.processes.length, 1)
    assert.equal(answer.processes[0].bpmnProcessId, id)
    assert.equal(answer.processes[0].version, 1)
  })

  check('zeebe-node deploys, by both of its calls', async () => {
    const client = node()
    const id = unique('zeebe-node')
    const deployed = await client.deployResource({ name: 'n.bpmn', process: Buffer.from(oneTask(id, 'x')) })
    assert.equal(deployed.deployments[0].process.bpmnProcessId, id)
    const old = await client.deployProcess({ name: 'o.bpmn', definition: Buffer.from(oneTask(unique('n'), 'x')) })
    assert.equal(old.processes.length, 1)
  })

  check('the SDK deploys', async () => {
    const id = unique('sdk')
    const deployed = await sdk().deployResource({ name: 's.bpmn', process: Buffer.from(oneTask(id, 'x')) })
    assert.equal(deployed.deployments[0].process.bpmnProcessId, id)
  })

  check('[60] the default tenant is accepted, another one is refused', async () => {
    const xml = oneTask(unique('tenant'), 'x')
    const resources = [resource('t.bpmn', xml)]
    await raw().call('DeployResource', { resources, tenantId: '<default>' })
    await refused(
      raw().call('DeployResource', { resources, tenantId: 'foo' }),
      'INVALID_ARGUMENT',
      /DeployResource with tenant identifier 'foo', but multi-tenancy is disabled/,
    )
  })
})
