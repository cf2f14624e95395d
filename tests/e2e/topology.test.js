'use strict'
// Numbers in brackets are the acceptance checks of the gRPC interface (spec: scenarios/gateway).
const assert = require('node:assert/strict')
const grpc = require('@grpc/grpc-js')
const loader = require('@grpc/proto-loader')
const path = require('node:path')
const { suite } = require('./lib/suite')
const { refused } = require('./lib/clients')

const HEALTH = '/grpc.health.v1.Health/Check'

// health.proto has one string in and one enumeration out, both field 1.
function health(raw, service) {
  const request = service ? Buffer.concat([Buffer.from([0x0a, service.length]), Buffer.from(service)]) : Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    raw.client.makeUnaryRequest(HEALTH, (b) => b, (b) => b, request, (error, answer) =>
      error ? reject(error) : resolve(answer.length >= 2 ? answer[1] : 0),
    )
  })
}

function assertSingleNode(topology) {
  assert.equal(topology.brokers.length, 1)
  assert.equal(topology.clusterSize, 1)
  assert.equal(topology.partitionsCount, 1)
  assert.equal(topology.replicationFactor, 1)
  assert.match(topology.gatewayVersion, /^\d+\.\d+\.\d+$/)
  const [broker] = topology.brokers
  assert.equal(broker.nodeId, 0)
  assert.match(broker.version, /^\d+\.\d+\.\d+$/)
  assert.equal(broker.partitions.length, 1)
  const [partition] = broker.partitions
  assert.equal(partition.partitionId, 1)
  assert.equal(partition.role, 'LEADER')
  assert.equal(partition.health, 'HEALTHY')
}

suite('topology, health and the protocol as a whole', {}, ({ check, raw, node, sdk }) => {
  check('[1] zeebe-node sees one broker that leads a healthy partition', async () => {
    assertSingleNode(await node().topology())
  })

  check('[2] the SDK, which gzips and sends an empty authorization header, sees the same', async () => {
    assertSingleNode(await sdk().topology())
  })

  check('[3] health is SERVING for the server and for the gateway, NOT_FOUND for others', async () => {
    assert.equal(await health(raw(), ''), 1)
    assert.equal(await health(raw(), 'gateway_protocol.Gateway'), 1)
    await refused(health(raw(), 'no.such.Service'), 'NOT_FOUND')
  })

  check('reflection lists the gateway', async () => {
    const proto = path.join(__dirname, 'lib/reflection.proto')
    const { grpc: loaded } = grpc.loadPackageDefinition(loader.loadSync(proto))
    const client = new loaded.reflection.v1alpha.ServerReflection(raw().address, grpc.credentials.createInsecure())
    const call = client.ServerReflectionInfo()
    const answer = await new Promise((resolve, reject) => {
      call.on('data', resolve)
      call.on('error', reject)
      call.write({ listServices: '*' })
    })
    call.end()
    client.close()
    const names = answer.listServicesResponse.service.map((service) => service.name)
    assert.ok(names.includes('gateway_protocol.Gateway'), names.join())
    assert.ok(names.includes('grpc.health.v1.Health'), names.join())
  })

  for (const [rpc, request] of [
    ['ModifyProcessInstance', { processInstanceKey: 1 }],
    ['MigrateProcessInstance', { processInstanceKey: 1 }],
    ['UpdateJobPriority', { jobKey: 1, priority: 1 }],
    ['AssignProcessInstanceBusinessId', { processInstanceKey: 1, businessId: 'b' }],
  ]) {
    check(`${rpc} is not there yet and says so by name`, async () => {
      await refused(raw().call(rpc, request), 'UNIMPLEMENTED', rpc)
    })
  }

  check('a method nobody knows is UNIMPLEMENTED', async () => {
    await refused(raw().bytes('NoSuchRpc', Buffer.alloc(0)), 'UNIMPLEMENTED')
  })

  check('[70] fields of a newer client are ignored', async () => {
    // Field 4000, a string, behind an empty TopologyRequest.
    const unknown = Buffer.from([0x82, 0xfa, 0x01, 0x03, 0x61, 0x62, 0x63])
    const answer = await raw().bytes('Topology', unknown)
    assert.ok(answer.length > 0)
  })

  check('any authorization header is ignored while there is no authentication', async () => {
    const metadata = new grpc.Metadata()
    metadata.set('authorization', 'Bearer nonsense')
    const answer = await raw().call('Topology', {}, { metadata })
    assert.equal(answer.clusterSize, 1)
  })
})

suite('three partitions', { partitions: 3 }, ({ check, raw }) => {
  check('the topology lists all of them', async () => {
    const topology = await raw().call('Topology')
    assert.equal(topology.partitionsCount, 3)
    assert.deepEqual(
      topology.brokers[0].partitions.map((partition) => partition.partitionId),
      [1, 2, 3],
    )
  })

  check('a key of a partition that is not there is UNAVAILABLE, key 0 and negative keys are NOT_FOUND', async () => {
    const beyond = String(9n << 51n)
    await refused(raw().call('CompleteJob', { jobKey: beyond }), 'UNAVAILABLE', 'Expected to execute command on partition 9')
    await refused(raw().call('CompleteJob', { jobKey: 0 }), 'NOT_FOUND', "job with key '0'")
    await refused(raw().call('CompleteJob', { jobKey: -7 }), 'NOT_FOUND', "job with key '-7'")
  })
})
