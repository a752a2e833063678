// What a fault did to the first sample that it touched: held against the same sample of the flight
// without it, which has the same truth and the same noise behind it.

// As in fault_matrix.mjs.
const BEGIN = 12000, TICK_S = 1e-3;

const SENSOR_OF = { accel: 'imu', gyro: 'imu', voltage: 'power', current: 'power' };

export const sensorOf = (fault) => SENSOR_OF[fault.fault.sensor_fault.sensor] ?? fault.fault.sensor_fault.sensor;

const digits = (x) => (Math.abs(x) >= 100 ? x.toFixed(1) : Math.abs(x) >= 0.1 ? x.toFixed(2) : x.toPrecision(2));
const signed = (x) => (x < 0 ? `−${digits(-x)}` : `+${digits(x)}`);

export function difference(plain, faulty) {
        const parts = [];
        plain.fields.forEach((f, i) => {
                const [a, b] = [plain.value[i], faulty.value[i]];
                if (Object.is(a, b)) return;
                if (Number.isNaN(b)) parts.push(`${f.name} not a number`);
                else if (f.unit === '') parts.push(`${f.name} ${a} → ${b}`);
                else parts.push(`${f.name} ${signed(b - a)} ${f.unit}`);
        });
        return parts.join(', ');
}

// Indices of the fields that the fault is about, and the other ones.
function about(fault, fields) {
        const quantity = { accel: 'accel', gyro: 'gyro', voltage: 'voltage', current: 'current', flow: 'flow' }[fault.sensor] ?? '';
        const of = fields.map((f, i) => ({ ...f, i })).filter((f) => f.name.startsWith(quantity));
        const axes = of.filter((f) => (f.axis ? !fault.axes || fault.axes.includes(f.axis) : quantity === f.name));
        return axes.map((f) => f.i);
}

const amountOf = (fault) => Object.entries(fault).find(([key]) => key.startsWith('amount'))?.[1];

// What the value has to be, or null if that is not for one sample to say.
function wanted(fault, i, [plain, , held], axes) {
        const a = plain.value[i], amount = amountOf(fault);
        const other = axes.find((j) => j !== i);
        switch (fault.does) {
        case 'stuck': return held.value[i];
        case 'zero': return fault.sensor === 'baro' ? null : 0;
        case 'nan': return NaN;
        case 'drift': case 'spoof': return a + amount * (plain.tick - BEGIN) * TICK_S;
        case 'bias': case 'spike': case 'jump': return a + amount;
        case 'scale': return a * amount;
        case 'saturate': return Math.sign(a) * Math.min(Math.abs(a), amount);
        case 'flip_axes': return -a;
        case 'swap_axes': return plain.value[other];
        case 'ghost': return Math.min(a, amount);
        default: return null;
        }
}

// What is wrong with it. One step of the sensor and one of the wire may lie between; of the GPS 2 cm,
// for metres are here those of a sphere.
export function checkSample(fault, { pair, sensor }) {
        const [plain, faulty] = pair, wrong = [];
        const axes = about(fault, plain.fields);
        if (axes.length === 0) return ['the fault is about nothing that is in the sample'];
        plain.fields.forEach((f, i) => {
                const want = axes.includes(i) ? wanted(fault, i, pair, axes) : sensor === 'imu' && fault.sensor !== 'imu' ? plain.value[i] : null;
                if (want === null || Object.is(want, faulty.value[i])) return;
                const near = Math.abs(want - faulty.value[i]) <= (sensor === 'gps' ? 0.03 : coarse(sensor, f));
                if (!near) wrong.push(`${f.name} is ${faulty.value[i]}, not ${want}`);
        });
        const by = (name) => {
                const i = plain.fields.findIndex((f) => f.name.startsWith(name));
                return faulty.value[i] - plain.value[i];
        };
        if (fault.does === 'noise' && axes.some((i) => Math.abs(faulty.value[i] - plain.value[i]) > 5 * amountOf(fault))) wrong.push('the noise is beyond 5 sigma');
        if (fault.does === 'time_jump' && Math.abs(by('age') + fault.offset_ms * 1e-3) > 1e-6) wrong.push(`its age changed by ${by('age')} s`);
        if (fault.does === 'few_satellites' && faulty.value.at(-1) !== fault.count) wrong.push(`${faulty.value.at(-1)} satellites`);
        if (fault.does === 'loss' && (faulty.value.at(-1) !== 0 || faulty.value.at(-2) !== 0)) wrong.push('it still has a fix');
        if (fault.does === 'blind' && faulty.value[1] !== 0) wrong.push('it heard an echo');
        return wrong;
}

const coarse = (sensor, f) => (sensor === 'power' ? 0.015 : sensor === 'flow' ? 1.01e-4 : sensor === 'sonar' ? 0.011 : 1.01 * f.scale);
