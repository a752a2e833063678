// HILP a second time, written from docs/protocol.md alone and without any package: frames and messages.

// ---- Frames

export function crc16(bytes) {
        let crc = 0xffff;
        for (const byte of bytes) {
                crc ^= byte << 8;
                for (let bit = 0; bit < 8; bit++)
                        crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
        }
        return crc;
}

export function frame(payload) {
        const crc = crc16(payload);
        const body = [...payload, crc & 0xff, crc >> 8];
        // Split at the zeros: each piece stands behind its length plus one.
        const pieces = [[]];
        for (const byte of body) {
                if (byte === 0) pieces.push([]);
                else pieces.at(-1).push(byte);
        }
        return Buffer.from([...pieces.flatMap((piece) => [piece.length + 1, ...piece]), 0]);
}

// The payload of one frame, or null.
export function unframe(bytes) {
        if (bytes.length > 244 || bytes.indexOf(0) !== bytes.length - 1) return null;
        const stuffed = bytes.subarray(0, -1);
        const body = [];
        for (let at = 0; at < stuffed.length; ) {
                const end = at + stuffed[at];
                if (end > stuffed.length) return null;
                body.push(...stuffed.subarray(at + 1, end));
                if (end < stuffed.length) body.push(0);
                at = end;
        }
        if (body.length < 3) return null;
        const payload = Buffer.from(body.slice(0, -2));
        return crc16(payload) === (body.at(-2) | (body.at(-1) << 8)) ? payload : null;
}

// ---- Messages: [field, type] in the order of the tables; 'i32[3]' is three of them, '[count]' has
// its number in a field before it, and so has a list of rows, each with fields of its own.

const IMU = [['imu_age_us', 'u16'], ['accel', 'i32[3]'], ['gyro', 'i32[3]']];
const GPS = [
        ['gps_age_us', 'u32'], ['lat', 'i32'], ['lon', 'i32'], ['height', 'i32'],
        ['gps_vel', 'i32[3]'], ['h_acc', 'u16'], ['v_acc', 'u16'], ['s_acc', 'u16'],
        ['fix', 'u8'], ['satellites', 'u8'],
];
const BARO = [
        ['baro_age_us', 'u32'], ['pressure', 'i32'], ['temperature', 'i16'],
        ['raw_temperature', 'i32'], ['raw_pressure', 'i32'],
];
const MAG = [['mag_age_us', 'u32'], ['field', 'i32[3]']];
const FLOW = [
        ['flow_age_us', 'u32'], ['interval_us', 'u32'], ['flow', 'i32[2]'],
        ['flow_gyro', 'i32[2]'], ['quality', 'u8'],
];
const POWER = [
        ['power_age_us', 'u32'], ['voltage', 'i32'], ['current', 'i32'], ['charge_used', 'i32'],
];
const INS = [['ins_age_us', 'u32'], ['ins_pos', 'i32[3]'], ['euler', 'i32[3]']];
const RELATIVE = [
        ['relative_age_us', 'u32'], ['peer', 'u16'], ['range', 'i32'], ['azimuth', 'i32'],
        ['elevation', 'i32'],
];
const NO_BLOCK = [];
const BLOCKS = [IMU, GPS, BARO, MAG, NO_BLOCK, FLOW, POWER, INS, RELATIVE];
const SENSORS = [3, 15]; // of version 2 and since

const SONAR = [['index', 'u8'], ['age_us', 'u32'], ['range', 'i32'], ['echo', 'u8']];
const REAL_RANGE = [['index', 'u8'], ['range', 'i32']];

export const TABLES = {
        1: [
                ['version_min', 'u8'], ['version_max', 'u8'], ['flags', 'u8'], ['rotors', 'u8'],
                ['frame_period_us', 'u32'], ['imu_period_us', 'u32'], ['gps_period_us', 'u32'],
                ['baro_period_us', 'u32'], ['mag_period_us', 'u32'], ['sonar_period_us', 'u32'],
                ['accel_unit', 'u32'], ['gyro_unit', 'u32'], ['pressure_unit', 'u32'],
                ['mag_unit', 'u32'], ['range_unit', 'u32'], ['name', 'chars32'],
        ],
        2: [
                ['version', 'u8'], ['frame_every', 'u8'], ['rotors', 'u8'], ['sensors_used', 'u8'],
                ['unique', 'u32'], ['name', 'chars32'],
        ],
        3: [['number', 'u32'], ['time_us', 'u64'], ['fresh', 'u8']],
        4: [['answers', 'u32'], ['flags', 'u8'], ['mode', 'u8'], ['duty', 'u16[count]']],
        5: [['mode', 'u8'], ['pos', 'i32[3]'], ['yaw', 'i16'], ['rc', 'u16[count]']],
        6: [
                ['id', 'u16'], ['reply', 'u8'], ['rig_transmit', 'u64'],
                ['board_receive', 'u64'], ['board_transmit', 'u64'],
        ],
        7: [['q', 'i16[4]'], ['pos', 'i32[3]'], ['vel', 'i16[3]']],
        8: [['severity', 'u8'], ['text', 'rest']],
        9: [],
        10: [
                ['sonars', 'u8'], ['baro_oversampling', 'u8'], ['flow_period_us', 'u32'],
                ['power_period_us', 'u32'], ['ins_period_us', 'u32'],
                ['ac1', 'i16'], ['ac2', 'i16'], ['ac3', 'i16'],
                ['ac4', 'u16'], ['ac5', 'u16'], ['ac6', 'u16'],
                ['b1', 'i16'], ['b2', 'i16'], ['mb', 'i16'], ['mc', 'i16'], ['md', 'i16'],
        ],
        11: [['number', 'u32'], ['time_us', 'u64'], ['sonars', SONAR]],
        12: [['ranges', REAL_RANGE]],
        13: [['key', 'chars20'], ['value', 'chars20']],
        14: [['key', 'chars20'], ['accepted', 'u8']],
        15: [['number', 'u32'], ['time_us', 'u64'], ['fresh', 'u16']],
        16: [['address', 'u16'], ['radios', 'u16'], ['bytes_max', 'u8']],
        17: [['peer', 'u16'], ['power', 'i16'], ['bytes', 'u8[count]']],
        18: [['peer', 'u16'], ['power', 'i16'], ['bytes', 'u8[count]']],
};
const SIZE = { u8: 1, u16: 2, u32: 4, u64: 8, i16: 2, i32: 4 };

export class Malformed extends Error {}

class Reader {
        constructor(bytes) {
                this.bytes = bytes;
                this.at = 0;
        }
        take(n) {
                if (this.at + n > this.bytes.length) throw new Malformed('too short');
                this.at += n;
                return this.bytes.subarray(this.at - n, this.at);
        }
        number(type) {
                const b = this.take(SIZE[type]);
                switch (type) {
                case 'u8': return b.readUInt8();
                case 'u16': return b.readUInt16LE();
                case 'u32': return b.readUInt32LE();
                case 'i16': return b.readInt16LE();
                case 'i32': return b.readInt32LE();
                default: return Number(b.readBigUInt64LE());
                }
        }
        chars(n) {
                const text = this.take(n).toString('latin1');
                const end = text.indexOf('\0');
                return end < 0 ? text : text.slice(0, end);
        }
        row(table) {
                return Object.fromEntries(table.map(([key, type]) => [key, this.field(type)]));
        }
        field(type) {
                if (Array.isArray(type))
                        return Array.from({ length: this.number('u8') }, () => this.row(type));
                if (type.startsWith('chars')) return this.chars(Number(type.slice(5)));
                if (type === 'rest') return this.chars(this.bytes.length - this.at);
                const [, item, n] = type.match(/^(\w+?)(?:\[(\w+)\])?$/);
                if (n === undefined) return this.number(item);
                const count = n === 'count' ? this.number('u8') : Number(n);
                return Array.from({ length: count }, () => this.number(item));
        }
}

class Writer {
        constructor() {
                this.parts = [];
        }
        number(type, value) {
                const b = Buffer.alloc(SIZE[type]);
                switch (type) {
                case 'u8': b.writeUInt8(value); break;
                case 'u16': b.writeUInt16LE(value); break;
                case 'u32': b.writeUInt32LE(value); break;
                case 'i16': b.writeInt16LE(value); break;
                case 'i32': b.writeInt32LE(value); break;
                default: b.writeBigUInt64LE(BigInt(value));
                }
                this.parts.push(b);
        }
        field(type, value) {
                if (Array.isArray(type)) {
                        this.number('u8', value.length);
                        for (const row of value)
                                for (const [key, item] of type) this.field(item, row[key]);
                } else if (type.startsWith('chars')) {
                        const b = Buffer.alloc(Number(type.slice(5)));
                        b.write(value, 'latin1');
                        this.parts.push(b);
                } else if (type === 'rest') {
                        this.parts.push(Buffer.from(value, 'latin1'));
                } else if (Array.isArray(value)) {
                        if (type.endsWith('[count]')) this.number('u8', value.length);
                        for (const item of value) this.number(type.replace(/\[.*/, ''), item);
                } else {
                        this.number(type, value);
                }
        }
}

const blocksOf = (fresh) => BLOCKS.filter((_, bit) => fresh & (1 << bit)).flat();

const goesUp = (rows) => rows.every(({ index }, i) => index <= 15 && (i === 0 || index > rows[i - 1].index));

// What the tables exclude.
function check(m) {
        const need = (truth) => {
                if (!truth) throw new Malformed('excluded value');
        };
        for (const key of ['time_us', 'rig_transmit', 'board_receive', 'board_transmit'])
                need(!(key in m) || m[key] <= Number.MAX_SAFE_INTEGER);
        switch (m.type) {
        case 1:
                need(m.version_min >= 1 && m.version_min <= m.version_max && m.rotors >= 1);
                need(m.frame_period_us >= 1);
                for (const key of Object.keys(m)) need(!key.endsWith('_unit') || m[key] >= 1);
                break;
        case 3:
        case 15:
                need(m.fresh < 1 << BLOCKS.length);
                need(m.fix === undefined || [0, 2, 3].includes(m.fix));
                break;
        case 4:
                need(m.flags < 4 && m.mode <= 3 && m.duty.length >= 1 && m.duty.length <= 8);
                break;
        case 5:
                need(m.mode <= 3 && m.rc.length <= 16);
                break;
        case 6:
                need(m.reply <= 1);
                break;
        case 7:
                need(m.q.some((x) => x !== 0) && !m.q.includes(-32768));
                break;
        case 8:
                need(m.severity <= 2);
                break;
        case 10:
                need(m.sonars <= 16 && m.baro_oversampling <= 3);
                break;
        case 11:
                need(m.sonars.length >= 1 && goesUp(m.sonars));
                need(m.sonars.every(({ echo }) => echo <= 1));
                break;
        case 12:
                need(goesUp(m.ranges));
                need(m.ranges.every(({ range }) => range >= 0 || range === -0x80000000));
                break;
        case 13:
                need(/^[ -~]+$/.test(m.key) && /^[ -~]*$/.test(m.value));
                break;
        case 14:
                need(/^[ -~]+$/.test(m.key) && m.accepted <= 1);
                break;
        case 16:
                need(m.address < m.radios && m.bytes_max >= 1 && m.bytes_max <= 222);
                break;
        case 17:
        case 18:
                need(m.bytes.length >= 1 && m.bytes.length <= 222);
                break;
        }
}

export function decode(payload) {
        const r = new Reader(payload);
        const m = { type: r.number('u8'), sequence: r.number('u8') };
        const table = TABLES[m.type];
        if (table === undefined) throw new Malformed('type');
        for (const [key, type] of table) m[key] = r.field(type);
        if (SENSORS.includes(m.type)) for (const [key, type] of blocksOf(m.fresh)) m[key] = r.field(type);
        if (r.at !== payload.length) throw new Malformed('too long');
        if (m.type === 8 && payload.length > 103) throw new Malformed('too long');
        check(m);
        return m;
}

export function encode(m) {
        const w = new Writer();
        w.number('u8', m.type);
        w.number('u8', m.sequence);
        for (const [key, type] of TABLES[m.type]) w.field(type, m[key]);
        if (SENSORS.includes(m.type)) for (const [key, type] of blocksOf(m.fresh)) w.field(type, m[key]);
        return Buffer.concat(w.parts);
}
