// Rows as text, for the terminal and for the page.

const seconds = (s) => `${s.toFixed(3)} s`;
const asked = (fault) => JSON.stringify(fault.fault).slice(1, -1).replaceAll('":', '": ').replaceAll(',"', ', "');

function onWire({ fault, seen, difference, missed, gap_ms, summary }) {
        if (fault.harmless) return `nothing: ${fault.harmless}`;
        if (fault.family === 'host') return `${missed ? `${missed} periods in a row missed` : 'no period missed by its own clock'}, longest gap between frames ${gap_ms.toFixed(0)} ms`;
        if (fault.family === 'sensor') {
                const samples = `${seen.counts[0]} of ${seen.counts[1]} samples`;
                return difference ? `first: ${difference}; ${samples}` : samples;
        }
        if (fault.family === 'vehicle') return `IMU samples differ from ${seen.imu}: ${seen.change}`;
        const parts = [`${seen.sensors[0]} of ${seen.sensors[1]} sensor frames arrived whole`, `${seen.motors[0]} of ${seen.motors[1]} answers`];
        if (seen.stale) parts.push(`commands ${seen.stale[0] === seen.stale[1] ? seen.stale[0] : seen.stale.join(' to ')} ticks older`);
        if (seen.bad[0]) parts.push(`${seen.bad[0]} damaged on the way to the board`);
        if (seen.bad[1]) parts.push(`${seen.bad[1]} on the way back`);
        if (summary.link.crc_errors) parts.push(`CRC errors ${summary.link.crc_errors}`);
        return parts.join(', ');
}

function ticks({ fault, first, last, over }) {
        if (first === Infinity) return '–';
        if (fault.family === 'host') return String(first);
        const late = fault.slack && first > 12000 ? ` (${fault.why})` : '';
        if (last === undefined) return `${first} on${late}`;
        if (fault.lot) return `${first} to at most ${Math.min(last, over) - 1}${late}`;
        return `${first} to ${last === Infinity ? 'the end' : last - 1}${late}${fault.endWhy ? ` (${fault.endWhy})` : ''}`;
}

function deeds(did) {
        const parts = [`height −${did.loss_m.toFixed(2)} +${did.climb_m.toFixed(2)} m`, `tilt ${did.tilt_deg.toFixed(1)}°`, `drift ${did.drift_m.toFixed(2)} m`];
        if (did.failsafe_s) parts.push(`failsafe from ${seconds(did.failsafe_s)}`);
        if (did.touch_s) parts.push(`${did.impact_mps > 1.5 ? 'crashed' : 'came down'} at ${seconds(did.touch_s)} with ${did.impact_mps.toFixed(1)} m/s`);
        else parts.push(did.back ? 'back at its place' : 'elsewhere at the end');
        return parts.join(', ');
}

function verdict(s) {
        const missed = s.requirements.filter((r) => r.outcome === 'failed').map((r) => r.name);
        return s.verdict === 'passed' ? s.verdict : `${s.verdict}: ${s.verdict === 'failed' && missed.length ? missed.join(', ') : s.end_reason}`;
}

export const describe = (row) =>
        `${row.wrong.length ? 'WRONG' : 'ok   '} ${asked(row.fault)}\n      ${ticks(row)}; ${onWire(row)}\n      ${deeds(row.did)}; ${verdict(row.summary)}` +
        row.wrong.map((w) => `\n      WRONG: ${w}`).join('');

const HEAD = '| fault | ticks | on the wire | what the flight controller did | verdict |\n|---|---|---|---|---|\n';
const line = (row) => `| \`${asked(row.fault)}\`${row.fault.forS ? ` for ${row.fault.forS} s` : ''} | ${ticks(row)} | ${onWire(row)} | ${deeds(row.did)} | ${verdict(row.summary)} |`;

export function table(rows, plain) {
        const part = (title, family, text) => `## ${title}\n\n${text}\n\n${HEAD}${rows.filter((r) => r.fault.family === family).map(line).join('\n')}\n`;
        return `# What each fault does

Made by \`node scripts/fault_matrix.mjs\`, which flies every fault once on the reference flight controller and checks
what stands here. Each fault begins at tick 12000 (12.000 s) of a hover and lasts for 3 s unless the row
says otherwise; the flight ends at 24 s. The md4-200 hovers at 5 m, the FINken 3, which flies the faults of sonar and
optical flow, at 2 m. ${rows.length} faults.

**Ticks** are exact: the flight is held to the bit against one without the fault, and the first frame that differs is
at the tick asked for, or at the sensor's first sample from then on. Where it ended is where it parts from a
flight in which the fault goes on. Both are of what left the rig or reached it; of faults of the vehicle they
are of the truth. Where a row gives a reason, the fault cannot show at once.

**On the wire** says what became of the first sample that the fault touched, against the same sample without
the fault, and how many of them came in the time of the fault. The script checks that sample against the fault's amount, to one step of
the sensor (noise to 5 sigma; of few satellites and loss only fix and count; of dropouts and delays there is no such sample).
Every flight was flown twice with the same signal hash, and its replay said "the same" (those of the host apart).

**What the flight controller did**: the largest loss and gain of height, the largest tilt, how far it went from the
place where the fault met it, from then to the end of the flight. Without a fault that is:

${plain.map((p) => `- ${p.rig}: ${deeds(p.did)}; ${verdict(p.summary)}`).join('\n')}

The requirements are: tilt below 45°, height within 1 m, less than 3 m from the start, no touch. "Failed" says that a
fault was more than the vehicle and this flight controller could hide, not that the flight controller is wrong. What a protocol
says twice (answers that a fault doubles) is counted twice.

${part('Sensors', 'sensor', 'Several kinds of each sensor; [faults](faults.md#sensors) says what each does.')}
${part('Vehicle', 'vehicle', 'Rotors of the md4-200: 0 front, then clockwise.')}
${part('Wire', 'wire', 'Frames that reached the other end within the time of the fault; damaged ones are counted where they arrive.')}
${part('Host', 'host', 'In real time. The first period that was missed; the numbers are those of the machine on which the page was made.')}`;
}
