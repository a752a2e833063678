// What run.ulg holds, as bytes and as numbers: enough of ULog for the rig's own topics.
import { readFileSync } from 'node:fs';

const SIZE = { uint8_t: 1, bool: 1, char: 1, int32_t: 4, float: 4, uint32_t: 4, uint16_t: 2, double: 8, uint64_t: 8, int64_t: 8 };

function fieldsOf(format) {
        const fields = {};
        let at = 0;
        for (const entry of format.split(';').filter(Boolean)) {
                const [, type, count, name] = entry.match(/^(\w+)(?:\[(\d+)\])? (\w+)$/);
                fields[name] = { type, at, count: Number(count ?? 1) };
                at += SIZE[type] * fields[name].count;
        }
        return fields;
}

// Topics of vehicle 0: name -> { fields, records }, a record being its tick and its bytes.
export function readLog(path, period_us) {
        const bytes = readFileSync(path);
        const formats = {}, topics = {}, byId = new Map();
        for (let at = 16; at + 3 <= bytes.length;) {
                const end = at + 3 + bytes.readUInt16LE(at);
                const type = String.fromCharCode(bytes[at + 2]);
                const body = bytes.subarray(at + 3, end);
                at = end;
                if (type === 'F') {
                        const [name, format] = body.toString('latin1').split(':');
                        formats[name] = fieldsOf(format);
                } else if (type === 'A' && body[0] === 0) {
                        const name = body.toString('latin1', 3);
                        topics[name] = { fields: formats[name], records: [] };
                        byId.set(body.readUInt16LE(1), topics[name]);
                } else if (type === 'D' && byId.has(body.readUInt16LE(0))) {
                        const record = body.subarray(2);
                        const tick = Number(record.readBigUInt64LE(0)) / period_us;
                        byId.get(body.readUInt16LE(0)).records.push({ tick, content: record });
                }
        }
        return topics;
}

export function value(topic, record, name, i = 0) {
        const f = topic.fields[name], at = f.at + i * SIZE[f.type];
        if (f.type === 'float') return record.content.readFloatLE(at);
        if (f.type === 'double') return record.content.readDoubleLE(at);
        if (f.type === 'int32_t') return record.content.readInt32LE(at);
        if (f.type === 'char') return record.content.toString('latin1', f.at, f.at + f.count).replace(/\0.*/s, '');
        return record.content[at];
}

// What moves, and what it is driven by; nothing of it depends on the host.
export const TRUTH = ['hilrig_rotors', 'hilrig_surroundings', 'vehicle_attitude_groundtruth',
        'vehicle_angular_velocity_groundtruth', 'vehicle_local_position_groundtruth'];

export function duties(topics) {
        const t = topics.hilrig_tick, f = t.fields.duty;
        return t.records.map((r) => ({ tick: r.tick, content: r.content.subarray(f.at, f.at + 8 * f.count) }));
}
