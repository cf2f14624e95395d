'use strict'
// Hostile and careless input: each request gets a clear error, and the server still works
// afterwards. `check` asserts the latter after every test.
const assert = require('node:assert/strict')
const http2 = require('node:http2')
const net = require('node:net')
const { suite } = require('./lib/suite')
const { Raw, refused } = require('./lib/clients')
const { definitions, end, exclusive, manual, oneTask, process, service, start } = require('./lib/models')
const { unique, until } = require('./lib/wait')

const bomb = `<?xml version="1.0"?>
<!DOCTYPE definitions [
 <!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
 ${Array.from('bcdefghijk', (c, i) => `<!ENTITY ${c} "${`&${'abcdefghijk'[i]};`.repeat(10)}">`).join('\n ')}
]>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="bomb" isExecutable="true">
<bpmn:startEvent id="s" name="&k;" /></bpmn:process></bpmn:definitions>`

const external = `<?xml version="1.0"?>
<!DOCTYPE definitions [<!ENTITY leak SYSTEM "file:///etc/passwd">]>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="leak" isExecutable="true">
<bpmn:startEvent id="s" name="&leak;" /></bpmn:process></bpmn:definitions>`

suite('bad input', {}, ({ check, raw, deploy, server }) => {
  const bad = (xml, name = 'bad.bpmn') =>
    raw().call('DeployResource', { resources: [{ name, content: Buffer.isBuffer(xml) ? xml : Buffer.from(xml) }] })
  const refusedDeployment = (xml, text = "'bad.bpmn'") => refused(bad(xml), 'INVALID_ARGUMENT', text)
  const create = (id, variables) => raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables })
  const running = async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    return { id, type }
  }

  for (const [what, xml] of Object.entries({
    'an empty file': '',
    'no XML': 'this is not XML',
    'a file that ends in the middle': oneTask('cut', 'x').slice(0, 300),
    'tags that do not match': '<a><b></a></b>',
    'only a declaration': '<?xml version="1.0"?>',
    'another vocabulary': '<html><body>hello</body></html>',
    'bytes that are no UTF-8': Buffer.concat([Buffer.from('<?xml version="1.0"?><a b="'), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('"/>')]),
    'zero bytes': Buffer.alloc(1000),
    'no process': definitions(''),
    'no executable process': definitions('<bpmn:process id="p"><bpmn:startEvent id="s" /></bpmn:process>'),
    'a process without an id': definitions('<bpmn:process isExecutable="true"><bpmn:startEvent id="s" /></bpmn:process>'),
  })) {
    check(`XML: ${what}`, () => refusedDeployment(xml))
  }

  check('XML: an entity bomb is not expanded', async () => {
    const memory = async () => (await server().metric('process_resident_memory_bytes')) ?? 0
    const before = await memory()
    await bad(bomb).catch((error) => assert.equal(error.code, 3, error.message))
    assert.ok((await memory()) - before < 200 * 1024 * 1024)
  })

  check('XML: an external entity is not read', async () => {
    const error = await bad(external).then(
      () => undefined,
      (failure) => failure,
    )
    if (error) assert.equal(error.code, 3, error.message)
    assert.ok(!server().log.includes('root:x:0'))
    assert.ok(!error || !error.details.includes('root:x:0'))
  })

  check('XML: elements nested fifty thousand deep', async () => {
    const depth = 50_000
    await refusedDeployment(definitions('<bpmn:process id="deep" isExecutable="true">' + '<bpmn:subProcess id="s">'.repeat(depth) + '</bpmn:subProcess>'.repeat(depth) + '</bpmn:process>'))
  })

  check('XML: a file of three megabytes', async () => {
    const tasks = Array.from({ length: 12_000 }, (_, i) => manual(`task_with_a_rather_long_name_${i}`))
    const xml = process(unique('huge'), [start(), ...tasks, end()])
    assert.ok(xml.length > 3_000_000)
    // The file is deployed or refused; the server must survive both.
    await bad(xml).catch((error) => assert.ok([3, 8].includes(error.code), error.message))
  })

  check('[61] a message above 4 MiB is RESOURCE_EXHAUSTED and the connection serves on', async () => {
    await refused(bad(Buffer.alloc(4 * 1024 * 1024 + 1, 0x20)), 'RESOURCE_EXHAUSTED')
    await raw().call('Topology')
  })

  check('elements that are not supported are named', async () => {
    const xml = definitions(
      '<bpmn:process id="unsupported" isExecutable="true"><bpmn:startEvent id="s"><bpmn:outgoing>f</bpmn:outgoing></bpmn:startEvent>' +
        '<bpmn:sequenceFlow id="f" sourceRef="s" targetRef="odd" /><bpmn:globalTask id="odd"><bpmn:incoming>f</bpmn:incoming></bpmn:globalTask></bpmn:process>',
    )
    const error = await refusedDeployment(xml, '- Element: odd')
    assert.match(error.details, /ERROR: /)
  })

  check('a flow to nowhere, a duplicate id, a broken expression', async () => {
    await refusedDeployment(process('dangling', [start(), end()], [['start', 'end'], ['start', 'nowhere']]))
    await refusedDeployment(process('twice', [start('same'), end('same')], [['same', 'same']]))
    await refusedDeployment(
      process('expression', [start(), exclusive('x'), end(), end('e2')], [
        ['start', 'x'],
        ['x', 'end', { condition: '=1 +' }],
        ['x', 'e2', { condition: '=true' }],
      ]),
      '- Element: ',
    )
  })

  check('a loop without a wait state does not take the server along', async () => {
    const id = unique('spin')
    const xml = process(
      id,
      [start(), exclusive('a'), exclusive('b', 'b_to_a'), end()],
      [['start', 'a'], ['a', 'b'], ['b', 'a'], ['b', 'end', { condition: '=stop = true' }]],
    )
    await deploy(xml)
    const { processInstanceKey } = await create(id, '{"stop":false}')
    // The limit of a batch works: other clients are served while the instance spins.
    const other = await running()
    for (let i = 0; i < 20; i++) await create(other.id, '{}')
    const { jobs } = await raw().activate({ type: other.type, requestTimeout: 30_000 })
    assert.ok(jobs.length > 0)
    await raw().call('CancelProcessInstance', { processInstanceKey })
    await refused(raw().call('CancelProcessInstance', { processInstanceKey }), 'NOT_FOUND')
  })

  check('a straight-through loop over tasks is refused at deployment', async () => {
    await refusedDeployment(
      process(unique('through'), [start(), exclusive('x'), manual('m'), exclusive('y', 'y_to_end'), end()], [
        ['start', 'x'],
        ['x', 'm'],
        ['m', 'y'],
        ['y', 'x', { condition: '=true' }],
        ['y', 'end'],
      ]),
    )
  })

  check('variables of ten megabytes are refused, those of three are kept', async () => {
    const { id, type } = await running()
    await refused(create(id, JSON.stringify({ pad: 'x'.repeat(10_000_000) })), 'RESOURCE_EXHAUSTED')
    await create(id, JSON.stringify({ pad: 'x'.repeat(3_000_000) }))
    const { jobs } = await raw().activate({ type, requestTimeout: 30_000 })
    assert.equal(JSON.parse(jobs[0].variables).pad.length, 3_000_000)
  })

  check('JSON nested a thousand deep is kept, deeper is refused, much deeper too', async () => {
    const { id, type } = await running()
    const nested = (depth) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    await create(id, nested(1000))
    const { jobs } = await raw().activate({ type, requestTimeout: 30_000 })
    assert.equal(jobs[0].variables, nested(1000))
    for (const depth of [1001, 5000, 1_000_000]) {
      await refused(create(id, nested(depth)), 'INVALID_ARGUMENT')
      await refused(raw().call('CompleteJob', { jobKey: jobs[0].key, variables: nested(depth) }), 'INVALID_ARGUMENT')
      await refused(
        raw().call('SetVariables', { elementInstanceKey: jobs[0].processInstanceKey, variables: nested(depth) }),
        'INVALID_ARGUMENT',
      )
    }
    await raw().call('CompleteJob', { jobKey: jobs[0].key })
  })

  check('a hundred thousand small variables', async () => {
    const { id } = await running()
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`v${i}`, i]))
    await create(id, JSON.stringify(many)).catch((error) => assert.ok([2, 3, 8].includes(error.code), error.message))
  })

  check('a variable name beyond 32768 characters', async () => {
    const { id } = await running()
    await refused(create(id, JSON.stringify({ ['n'.repeat(32_769)]: 1 })), 'INVALID_ARGUMENT', '32768')
  })

  check('text that is no UTF-8, in a string field and inside JSON', async () => {
    const { id } = await running()
    // CreateProcessInstanceRequest: bpmnProcessId is field 2, version 3, variables 4.
    const field = (number, bytes) => Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
    const invalid = Buffer.from([0xc3, 0x28])
    const version = Buffer.from([0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])
    await assert.rejects(raw().bytes('CreateProcessInstance', Buffer.concat([field(2, invalid), version])))
    const variables = Buffer.concat([Buffer.from('{"a":"'), invalid, Buffer.from('"}')])
    await assert.rejects(
      raw().bytes('CreateProcessInstance', Buffer.concat([field(2, Buffer.from(id)), version, field(4, variables)])),
    )
    await assert.rejects(raw().bytes('ActivateJobs', field(1, invalid)))
    // A lone surrogate, escaped, is JSON that has no UTF-8.
    await create(id, '{"a":"\\ud800"}').catch((error) => assert.equal(error.code, 3, error.message))
  })

  check('bytes that are no protobuf', async () => {
    for (const bytes of [Buffer.from([0xff]), Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]), Buffer.alloc(64, 0xff)]) {
      for (const rpc of ['CreateProcessInstance', 'CompleteJob', 'DeployResource', 'SetVariables', 'FailJob']) {
        await assert.rejects(raw().bytes(rpc, bytes), (error) => [3, 12, 13].includes(error.code))
      }
    }
  })

  check('numbers at their ends', async () => {
    const { id, type } = await running()
    const huge = '9223372036854775807'
    await create(id, '{}')
    await refused(raw().activate({ type, maxJobsToActivate: -1 }), 'INVALID_ARGUMENT', "but it was '-1'")
    await refused(raw().activate({ type, timeout: -1 }), 'INVALID_ARGUMENT', "but it was '-1'")
    const { jobs } = await raw().activate({ type, timeout: huge, maxJobsToActivate: 2_147_483_647, requestTimeout: '-9223372036854775808' })
    assert.equal(jobs.length, 1)
    assert.ok(BigInt(jobs[0].deadline) > BigInt(Date.now()), 'a timeout beyond time means never, not long ago')
    const [{ key }] = jobs
    await raw().call('UpdateJobTimeout', { jobKey: key, timeout: huge })
    assert.deepEqual((await raw().activate({ type })).jobs, [])
    await raw().call('FailJob', { jobKey: key, retries: 2_147_483_647, retryBackOff: '-9223372036854775808' })
    const again = await raw().activate({ type, requestTimeout: 30_000 })
    assert.equal(again.jobs[0].retries, 2_147_483_647)
    await raw().call('FailJob', { jobKey: key, retries: 1, retryBackOff: huge })
    assert.deepEqual((await raw().activate({ type })).jobs, [])
    await raw().call('CancelProcessInstance', { processInstanceKey: again.jobs[0].processInstanceKey })
    // The number exceeds a double: it is kept or refused, without harm.
    await create(id, '{"n":1e400}').catch((error) => assert.equal(error.code, 3, error.message))
    for (const version of [2_147_483_647, 0]) {
      await refused(
        raw().call('CreateProcessInstance', { bpmnProcessId: id, version }),
        'NOT_FOUND',
        `version '${version}'`,
      )
    }
    // Any negative version is the latest.
    await raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -2_147_483_648 })
  })

  check('a client that vanishes mid-stream', async () => {
    const { id, type } = await running()
    const doomed = new Raw(server().address)
    const stream = doomed.openStream({ type, timeout: 1000 })
    await doomed.call('Topology')
    const session = http2.connect(`http://${server().address}`)
    session.on('error', () => {})
    const request = session.request({
      ':method': 'POST',
      ':path': '/gateway_protocol.Gateway/StreamActivatedJobs',
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    request.on('error', () => {})
    // The message announces more bytes than it sends.
    request.write(Buffer.from([0, 0, 0, 0, 100, 0x0a]))
    await create(id, '{}')
    session.destroy()
    doomed.client.getChannel().close()
    stream.cancel()
    const job = await until('the job is offered again', async () => {
      const { jobs } = await raw().activate({ type, requestTimeout: 5000 })
      return jobs[0]
    })
    await raw().call('CompleteJob', { jobKey: job.key })
  })

  check('a connection that speaks something else', async () => {
    for (const greeting of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\x02\x00', '\x00'.repeat(1000)]) {
      await new Promise((resolve) => {
        const socket = net.connect(server().grpcPort, '127.0.0.1', () => socket.end(greeting, 'latin1'))
        socket.on('error', resolve)
        socket.on('close', resolve)
        socket.resume()
      })
    }
    await raw().call('Topology')
  })

  check('a job type, a worker and an error message as long as a message allows', async () => {
    const { id, type } = await running()
    await create(id, '{}')
    const long = 'y'.repeat(1_000_000)
    await raw().activate({ type: long }).catch((error) => assert.equal(error.code, 3, error.message))
    const { jobs } = await raw().activate({ type, worker: long, requestTimeout: 30_000 })
    await raw().call('FailJob', { jobKey: jobs[0].key, retries: 0, errorMessage: long })
  })

  check('a service task whose type is longer than allowed', async () => {
    const xml = process(unique('long'), [start(), service('work', { type: 'z'.repeat(40_000) }), end()])
    await bad(xml).catch((error) => assert.equal(error.code, 3, error.message))
  })
})
