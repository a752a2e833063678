// firmware_cost.mjs: what the firmware of tests/firmware takes, for docs/performance.md: flash and RAM of each board; stack and
// instructions per sensor frame, counted over the default flight in QEMU; and what these instructions would take of a
// Cortex-M4's cycles. Needs `make firmware` and `make` before.
//
// Instructions: under -icount shift=0 QEMU's virtual time is one nanosecond an instruction, so the firmware's own
// clock (SysTick at 50 MHz) counts 20 instructions a cycle; interrupts included, sleep left out.
// Cycles: a piece of the flight is traced block by block (-d exec,nochain,in_asm), and each instruction gets the cycles of
// the Cortex-M4 Technical Reference Manual (ARM DDI 0439D, table 3-1), without wait states: at best and at worst.
import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, existsSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const build = process.env.BUILD ?? 'build';
const INSTRUCTIONS_PER_CYCLE = 20;
const TRACE_AFTER_S = 8, TRACE_S = 3;
const place = mkdtempSync(join(tmpdir(), 'cost-'));

function output(program, ...args) {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function sizes(board) {
    const [, line] = output('arm-none-eabi-size', `${build}/firmware/${board}.elf`).split('\n');
    const [text, data, bss] = line.trim().split(/\s+/).map(Number);
    return { board, text, data, bss };
}

// Runs scripts/fly_firmware.sh; resolves to what it printed.
function fly(name, qemuOptions, options = []) {
    return new Promise((resolve, reject) => {
        const child = spawn('scripts/fly_firmware.sh', [...options, '--out', join(place, name)],
            { env: { ...process.env, BUILD: build, QEMU_OPTIONS: qemuOptions }, stdio: ['ignore', 'pipe', 'ignore'] });
        let said = '';
        child.stdout.on('data', (d) => { said += d; });
        child.on('close', (code) => (code === 0 || code === 1 ? resolve(said) : reject(new Error(said))));
    });
}

function figures(said) {
    const m = /(\d+) frames, (\d+) cycles each, (\d+) at most, stack (\d+) of (\d+) bytes, (\d+) bytes lost/.exec(said);
    const t = /([\d.]+) s simulated in ([\d.]+) s/.exec(said);
    if (!m || !t) throw new Error(said);
    const [frames, mean, most, stack, stackSize, lost] = m.slice(1).map(Number);
    return { frames, mean, most, stack, stackSize, lost, framesPerS: Math.round(1000 * t[1] / t[2]) };
}

async function monitor(path, command) {
    const socket = connect(path);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(`${command}\n`);
    await sleep(200);
    socket.destroy();
}

async function trace() {
    const monitorPath = join(place, 'monitor'), log = join(place, 'trace');
    // 45 s long: in the air however fast this host is.
    const flight = fly('traced', `-monitor unix:${monitorPath},server=on,wait=off -D ${log}`);

    while (!existsSync(monitorPath)) await sleep(50);
    await sleep(TRACE_AFTER_S * 1000);
    await monitor(monitorPath, 'log exec,nochain,in_asm');
    await sleep(TRACE_S * 1000);
    await monitor(monitorPath, 'log none');
    await flight;
    return log;
}

function registers(operands) {
    const list = /\{(.*)\}/.exec(operands);
    if (!list) return 1;
    return list[1].split(',').reduce((n, r) => {
        const span = /([rs])(\d+)\s*-\s*[rs](\d+)/.exec(r);
        return n + (span ? span[3] - span[2] + 1 : 1);
    }, 0);
}

// Cycles of one instruction, at best and at worst: [1, 2]. P, the pipeline's refill, is 1 to 3.
function cycles(name, operands, taken) {
    const refill = taken ? [1, 3] : [0, 0];
    const plus = (a, b) => [a + refill[0], b + refill[1]];

    if (/^it/.test(name)) return [0, 1];
    if (/^(push|pop|ldm|stm|vpush|vpop|vldm|vstm)/.test(name)) return plus(1 + registers(operands), 1 + registers(operands));
    if (/^(ldrd|strd)/.test(name)) return [2, 3];
    if (/^(ldr|vldr)/.test(name)) return plus(1, 2);
    if (/^(str|vstr)/.test(name)) return [1, 2];
    if (/^[us]div/.test(name)) return [2, 12];
    if (/^vsqrt|^vdiv/.test(name)) return [14, 14];
    if (/^(tbb|tbh)/.test(name)) return plus(2, 2);
    if (/^(mrs|msr|cps|vmov|vmrs|vmsr)/.test(name)) return [1, 2];
    return plus(1, 1);
}

async function readTrace(log, entry) {
    const blocks = new Map(), byFunction = new Map();
    let block = null, previous = null, instructions = 0, best = 0, worst = 0, frames = 0;

    for await (const line of createInterface({ input: createReadStream(log) })) {
        const asm = /^0x([0-9a-f]{8}):\s+((?:[0-9a-f]{4} ?){1,2})\s+(\S+)\s*(.*)$/.exec(line);

        if (line.startsWith('IN:')) block = [];
        else if (asm && block) block.push({ end: parseInt(asm[1], 16) + asm[2].trim().replace(' ', '').length / 2, name: asm[3], operands: asm[4] });
        else if (line.startsWith('Trace')) {
            const pc = parseInt(/\/([0-9a-f]{8})\//.exec(line)[1], 16);
            const where = line.slice(line.lastIndexOf(']') + 1).trim();

            if (block?.length) blocks.set(pc, block);
            block = null;
            if (previous) {
                const taken = previous[previous.length - 1].end !== pc;
                previous.forEach((i, k) => {
                    const [low, high] = cycles(i.name, i.operands, taken && k === previous.length - 1);
                    best += low;
                    worst += high;
                });
                instructions += previous.length;
            }
            previous = blocks.get(pc) ?? null;
            if (previous) byFunction.set(where, (byFunction.get(where) ?? 0) + previous.length);
            frames += pc === entry;
        }
    }
    return { instructions, best, worst, frames, byFunction };
}

function entryOf(name) {
    const line = output('arm-none-eabi-nm', `${build}/firmware/lm3s6965.elf`).split('\n').find((l) => l.endsWith(` ${name}`));
    return parseInt(line.slice(0, 8), 16) & ~1;
}

try {
    for (const board of ['lm3s6965', 'stm32f4']) console.log(JSON.stringify(sizes(board)));

    const plain = figures(await fly('plain', ''));
    const counted = figures(await fly('counted', '-icount shift=0'));
    const traced = await readTrace(await trace(), entryOf('fc_step'));
    const mean = counted.mean * INSTRUCTIONS_PER_CYCLE, most = counted.most * INSTRUCTIONS_PER_CYCLE;
    const low = traced.best / traced.instructions, high = traced.worst / traced.instructions;
    const us = (n, cpi) => +(n * cpi / 168).toFixed(0);

    console.log(JSON.stringify({ frames: plain.frames, frames_per_s: plain.framesPerS, lost: plain.lost,
        stack: Math.max(plain.stack, counted.stack), stack_size: plain.stackSize }));
    console.log(JSON.stringify({ instructions_per_frame: mean, most: most }));
    console.log(JSON.stringify({ traced_frames: traced.frames,
        traced_per_frame: Math.round(traced.instructions / traced.frames),
        cycles_per_instruction: [+low.toFixed(2), +high.toFixed(2)],
        us_at_168_mhz: [us(mean, low), us(mean, high)], most_us_at_168_mhz: [us(most, low), us(most, high)] }));
    for (const [name, n] of [...traced.byFunction].sort((a, b) => b[1] - a[1]).slice(0, 12))
        console.log(JSON.stringify({ function: name, percent: +(100 * n / traced.instructions).toFixed(1) }));
} finally {
    rmSync(place, { recursive: true, force: true });
}
