// Every shipped configuration and every good test input against its schema, by ajv; and the schemas
// refuse what the reader refuses, where a schema can tell.
// Not under sanitizers: the reader has suites and a fuzz target.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv/dist/2020.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const schemas = join(root, 'rig_configs/schema');
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

const ajv = new Ajv({ strict: true, allErrors: true });
const kinds = readdirSync(schemas).filter((name) => name.endsWith('.schema.json'));
for (const name of kinds) ajv.addSchema(read(join(schemas, name)), name);
const validator = Object.fromEntries(kinds.map((name) => [name, ajv.getSchema(name)]));

let checks = 0;
const failures = [];

function expectValid(path, data, name) {
        checks++;
        if (!validator[name](data))
                failures.push(`${path}: ${ajv.errorsText(validator[name].errors)}`);
}

function expectRefused(what, data, name) {
        checks++;
        if (validator[name](data)) failures.push(`${what}: was accepted by ${name}`);
}

// Shipped files name their schema.
for (const entry of readdirSync(join(root, 'rig_configs'), { recursive: true })) {
        const path = join(root, 'rig_configs', entry);
        if (!entry.endsWith('.json') || /^schema\//.test(entry)) continue;
        const data = read(path);
        const name = basename(data.$schema ?? '');
        if (!validator[name] || !/^(\.\.\/)?schema\//.test(data.$schema))
                failures.push(`${entry}: names no schema`);
        else expectValid(entry, data, name);
}

const configs = join(root, 'tests/configs');
for (const name of ['good_wind.json', 'good_other_world.json', 'good_hexa.json'])
        expectValid(name, read(join(configs, name)), 'rig.schema.json');
expectValid('world_bare.json', read(join(configs, 'world_bare.json')), 'world.schema.json');
for (const name of [
        'misspelt_key.json', 'unknown_key.json', 'no_object.json', 'include_number.json',
        'incomplete.json',
])
        expectRefused(name, read(join(configs, name)), 'rig.schema.json');
for (const name of [
        'other_unit.json', 'no_unit.json', 'negative_mass.json', 'wrong_type.json', 'nested.json',
])
        expectRefused(name, read(join(configs, name)), 'vehicle.schema.json');

// A mission is an object, or a file of another kind by its name.
const flown = read(join(configs, 'good_wind.json'));
expectValid('a rig with a mission file', { ...flown, mission: '../missions/square.plan' }, 'rig.schema.json');
expectRefused('a rig with a mission that is a number', { ...flown, mission: 1 }, 'rig.schema.json');
expectRefused('a rig with a mission without a name', { ...flown, mission: '' }, 'rig.schema.json');

// A whole vehicle without an include: each required key, taken away, is missed. Its mass is missed
// only where it has no parts, which is the reader's to tell.
const whole = read(join(root, 'rig_configs/vehicles/md4_200.json'));
for (const key of ['name', 'motor', 'rotors', 'gear_m', 'sensors']) {
        const { [key]: gone, ...rest } = whole;
        expectRefused(`a vehicle without ${key}`, rest, 'vehicle.schema.json');
        expectValid(`an including vehicle without ${key}`, { ...rest, include: 'a.json' },
                'vehicle.schema.json');
}
const { mass_kg, ...weighed } = whole;
expectValid('a vehicle of parts without mass_kg', weighed, 'vehicle.schema.json');
const { parts, ...identified } = whole;
expectValid('a vehicle with inertia_kgm2 instead of parts',
        { ...identified, inertia_kgm2: { xx: 0.01, yy: 0.01, zz: 0.02 } }, 'vehicle.schema.json');
expectRefused('a motor without tau_s', { ...whole, motor: { speed_full_rpm: 1, speed_limit_rpm: 1 } },
        'vehicle.schema.json');

// What the rig resolves is a rig file too. One value of it at a time becomes something else: what the
// schema then refuses, the reader refuses.
const build = process.env.BUILD ?? 'build';
const hilrig = join(isAbsolute(build) ? build : join(root, build), 'hilrig');
const inRoot = { cwd: root, encoding: 'utf8' };

function* leaves(value, path = []) {
        if (value === null || typeof value !== 'object') yield path;
        else for (const key of Object.keys(value)) yield* leaves(value[key], [...path, key]);
}

function change(data, path, to) {
        const copy = structuredClone(data);
        const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
        parent[path.at(-1)] = to;
        return copy;
}

if (existsSync(hilrig)) {
        const rig = 'rig_configs/default.json';
        const said = spawnSync(hilrig, ['check', '--resolved', rig], inRoot);
        const resolved = JSON.parse(said.stdout);
        const wrong = [null, 'x y', -1e9, 1e9, 0.5, true, []];
        let turn = 0;

        expectValid('the resolved rig', resolved, 'rig.schema.json');
        for (const path of leaves(resolved)) {
                let to = wrong[turn++ % wrong.length];
                // --set makes words of these where words are wanted.
                if (typeof path.reduce((at, key) => at[key], resolved) === 'string' && ['number', 'boolean'].includes(typeof to))
                        to = [to];
                const set = `${path.join('.')}=${JSON.stringify(to)}`;

                if (validator['rig.schema.json'](change(resolved, path, to))) continue;
                checks++;
                if (spawnSync(hilrig, ['check', '--set', set, rig], inRoot).status !== 2)
                        failures.push(`${set}: refused by the schema, read by hilrig`);
        }
}

for (const failure of failures) console.log(failure);
console.log(`${checks} checks, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
