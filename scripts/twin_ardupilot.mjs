#!/usr/bin/env node
// The ground station of rig_configs/rigs/ardupilot_twin.json: has an ArduCopter that flies in its own simulator take off,
// pass a simulated FINken slowly, and hold its place in LOITER while another vehicle comes at it. docs/twins.md.
//
//   node scripts/twin_ardupilot.mjs [PORT]     its first MAVLink port, 5760
import { createRequire } from 'node:module';
import net from 'node:net';

const require = createRequire(new URL('../tests/node/', import.meta.url));
const { ardupilotmega, common, minimal, MavLinkPacketParser, MavLinkPacketSplitter, MavLinkProtocolV2 } = require('node-mavlink');

const REGISTRY = { ...minimal.REGISTRY, ...common.REGISTRY, ...ardupilotmega.REGISTRY };
const AUTOPILOT = { targetSystem: 1, targetComponent: 1 };
const GUIDED = 4;
const LOITER = 5;
const LAND = 9;
const HEIGHT = 1.5;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const socket = net.connect(Number(process.argv[2] ?? 5760), '127.0.0.1');
socket.on('error', (error) => {
        console.error(`twin_ardupilot: ${error.message}`);
        process.exit(2);
});
await new Promise((resolve) => socket.on('connect', resolve));

const protocol = new MavLinkProtocolV2(255, 190);
let sequence = 0;
const send = (message, fields) => socket.write(protocol.serialize(Object.assign(message, fields), sequence++ & 255));
const command = (id, ...values) => {
        const fields = { ...AUTOPILOT, command: id };
        for (let i = 0; i < 7; i++) fields[`_param${i + 1}`] = values[i] ?? 0;
        send(new common.CommandLong(), fields);
};
const setMode = (mode) => command(common.MavCmd.DO_SET_MODE, 1, mode);
const askFor = (id) => command(common.MavCmd.SET_MESSAGE_INTERVAL, id, 100000);
const goTo = (north) => send(new common.SetPositionTargetLocalNed(),
        { ...AUTOPILOT, coordinateFrame: 1, typeMask: 0b110111111000, x: north, y: 0, z: -HEIGHT });

let armed = false;
let at = null;
let sticks = false;
socket.pipe(new MavLinkPacketSplitter()).pipe(new MavLinkPacketParser()).on('data', ({ header, payload, protocol: their }) => {
        const clazz = REGISTRY[header.msgid];
        // The rig's vehicles are systems of their own, forwarded.
        if (!clazz || header.sysid !== 1 || header.compid !== 1) return;
        const message = their.data(payload, clazz);
        if (clazz === minimal.Heartbeat) armed = (message.baseMode & 128) !== 0;
        if (clazz === common.LocalPositionNed) at = message;
        if (clazz === common.StatusText) console.log(message.text.replace(/\0.*/, ''));
});
setInterval(() => send(new minimal.Heartbeat(), { type: 6, autopilot: 8, baseMode: 0, systemStatus: 4 }), 1000);
setInterval(() => {
        if (sticks) send(new common.RcChannelsOverride(), { ...AUTOPILOT, chan1Raw: 1500, chan2Raw: 1500, chan3Raw: 1500, chan4Raw: 1500 });
}, 200);

while (!at) {
        askFor(32);
        await sleep(1000);
}
while (!armed) {
        setMode(GUIDED);
        await sleep(1000);
        command(common.MavCmd.COMPONENT_ARM_DISARM, 1);
        await sleep(1500);
}
command(common.MavCmd.NAV_TAKEOFF, 0, 0, 0, 0, 0, 0, HEIGHT);
await sleep(9000);
for (let north = 0.5; north <= 5.6; north += 0.1) {
        goTo(north);
        await sleep(300);
}
sticks = true;
await sleep(3000);
setMode(LOITER);
for (let s = 0; s < 60; s++) {
        await sleep(1000);
        console.log(`in LOITER for ${s + 1} s, ${at.x.toFixed(2)} m north of its start`);
}
setMode(LAND);
await sleep(8000);
process.exit(0);
