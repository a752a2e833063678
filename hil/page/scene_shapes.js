// Shapes of a scene, in three.js: solids of the world, craft, trails, marks. North, east, down throughout, and quaternions that
// turn from a body to that: of three.js' own axes only the camera of scene.js knows.

const sceneShapes = (function () {
// Triangles of several shapes as one, each moved by its matrix.
function merge(pieces) {
        const flat = pieces.map(({ shape, matrix }) => {
                const own = (shape.index ? shape.toNonIndexed() : shape.clone());
                if (matrix) own.applyMatrix(matrix);
                return own;
        });
        const count = flat.reduce((sum, g) => sum + g.attributes.position.count, 0), whole = new THREE.BufferGeometry();
        for (const name of ["position", "normal"]) {
                const all = new Float32Array(3 * count);
                let at = 0;
                for (const g of flat) {
                        all.set(g.attributes[name].array, at);
                        at += g.attributes[name].array.length;
                }
                whole.setAttribute(name, new THREE.BufferAttribute(all, 3));
        }
        return whole;
}

const quaternion = (q) => new THREE.Quaternion(q[1], q[2], q[3], q[0]);
const vector = (v) => new THREE.Vector3(v[0], v[1], v[2]);
const matrixOf = (p, q, size) => new THREE.Matrix4().compose(vector(p), quaternion(q), vector(size));

// Cylinders and cones of three.js stand along their second axis; here they lie along the third.
const upright = (shape) => shape.rotateX(Math.PI / 2);
const unit = {
        box: () => new THREE.BoxBufferGeometry(1, 1, 1),
        sphere: () => new THREE.SphereBufferGeometry(0.5, 24, 16),
        cylinder: () => upright(new THREE.CylinderBufferGeometry(0.5, 0.5, 1, 32)),
};

function lines(numbers) {
        const g = new THREE.BufferGeometry();
        g.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(numbers), 3));
        return g;
}

// Faces and edges of all obstacles.
function solids(list) {
        const known = {}, edges = [], v = new THREE.Vector3();
        for (const name of Object.keys(unit)) {
                const shape = unit[name]();
                known[name] = { shape, edge: name === "sphere" ? [] : new THREE.EdgesGeometry(shape, 30).attributes.position.array };
        }
        const faces = merge(list.map((o) => ({ shape: known[o.shape].shape, matrix: matrixOf(o.p, o.q, o.size) })));
        for (const o of list) {
                const { edge } = known[o.shape], matrix = matrixOf(o.p, o.q, o.size);
                for (let i = 0; i < edge.length; i += 3) edges.push(...v.fromArray(edge, i).applyMatrix4(matrix).toArray());
        }
        return { faces, edges: lines(edges) };
}

// Nine numbers a triangle.
function mesh(corners) {
        const g = lines(corners);
        g.computeVertexNormals();
        return g;
}

// Arms, hub and nose of a craft, whose front is its first axis.
function craft(rotors, reach) {
        const pieces = [], thick = 0.055 * reach, along = new THREE.Vector3(1, 0, 0), still = [1, 0, 0, 0];
        for (const r of rotors) {
                const end = vector(r.p), size = end.length();
                if (size === 0) continue;
                const turn = new THREE.Quaternion().setFromUnitVectors(along, end.clone().normalize());
                pieces.push({ shape: unit.box(), matrix: new THREE.Matrix4().compose(end.multiplyScalar(0.5), turn, new THREE.Vector3(size, 2 * thick, 2 * thick)) });
                pieces.push({ shape: unit.cylinder(), matrix: matrixOf(r.p, still, [3 * thick, 3 * thick, 4 * thick]) });
        }
        pieces.push({ shape: unit.box(), matrix: matrixOf([0, 0, 0], still, [0.62 * reach, 0.4 * reach, 0.2 * reach]) });
        pieces.push({ shape: new THREE.ConeBufferGeometry(0.16 * reach, 0.5 * reach, 16).rotateZ(-Math.PI / 2).translate(0.56 * reach, 0, 0) });
        return merge(pieces);
}

const blade = (radius) => merge([{ shape: unit.box(), matrix: matrixOf([0, 0, 0], [1, 0, 0, 0], [1.96 * radius, 0.14 * radius, 0.04 * radius]) }]);
const disk = (radius) => new THREE.CircleBufferGeometry(radius, 32);
const ring = (inner, outer) => new THREE.RingBufferGeometry(inner, outer, 40);
// From its tip along the third axis to a base of radius 1 at 1.
const cone = () => upright(new THREE.ConeBufferGeometry(1, 1, 24, 1, true)).rotateX(Math.PI).translate(0, 0, 0.5);

function circle(radius) {
        const at = [];
        for (let k = 0; k < 40; k++) at.push(radius * Math.cos(k * Math.PI / 20), radius * Math.sin(k * Math.PI / 20), 0);
        return lines(at);
}

// Where a vehicle was asked to go: the edges of an octahedron.
const place = () => new THREE.EdgesGeometry(new THREE.OctahedronBufferGeometry(1, 0), 1);

// As long as 1, along the first axis.
function arrow() {
        const shaft = new THREE.CylinderBufferGeometry(0.03, 0.03, 0.72, 12).rotateZ(-Math.PI / 2).translate(-0.14, 0, 0);
        const head = new THREE.ConeBufferGeometry(0.1, 0.28, 20).rotateZ(-Math.PI / 2).translate(0.36, 0, 0);
        return merge([{ shape: shaft }, { shape: head }]);
}

function point(object, at, way, size) {
        object.position.fromArray(at);
        object.quaternion.setFromUnitVectors(new THREE.Vector3(1, 0, 0), vector(way).normalize());
        object.scale.setScalar(size);
}

// Lines of so many squares to each side of the middle, in pieces: some drawings lose a line of which one end is behind the eye.
function grid(count, across = count) {
        const at = [];
        for (let i = -across; i <= across; i++)
                for (let k = -count; k < count; k++) at.push(i, k, 0, i, k + 1, 0, k, i, 0, k + 1, i, 0);
        return lines(at);
}

// 1, 2 or 5 times a power of ten, at least so much.
function roundStep(least) {
        const power = 10 ** Math.floor(Math.log10(least));
        return power * ([1, 2, 5].find((n) => n * power >= least) || 10);
}

// A path as a ribbon of constant width on the screen: WebGL's own lines are one pixel wide. Each piece has four corners, which
// know their own end, the other one and their side.
const ribbonVertex = `
attribute vec3 other;
attribute float side;
uniform vec2 screen;
uniform float wide;
void main() {
        vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        vec4 there = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
        float least = 0.001;
        // What lies behind the eye ends before it.
        if (here.w < least && there.w > least) here = mix(here, there, (least - here.w) / (there.w - here.w));
        if (there.w < least && here.w > least) there = mix(there, here, (least - there.w) / (here.w - there.w));
        vec2 way = (there.xy / there.w - here.xy / here.w) * screen;
        vec2 across = length(way) > 0.0 ? normalize(vec2(-way.y, way.x)) : vec2(0.0);
        here.xy += side * wide * across / screen * here.w;
        gl_Position = here;
}`;
const ribbonFragment = "uniform vec3 tint; uniform float opacity; void main() { gl_FragColor = vec4(tint, opacity); }";

function ribbonMaterial(tint, opacity, wide, screen) {
        return new THREE.ShaderMaterial({ uniforms: { tint: { value: tint }, opacity: { value: opacity }, wide: { value: wide }, screen: { value: screen } },
                vertexShader: ribbonVertex, fragmentShader: ribbonFragment, transparent: true, depthWrite: false, side: THREE.DoubleSide });
}

// The path of one vehicle: what was flown up to a time is drawn full, the rest faintly.
function Trail(parent, tint, screen, room) {
        const most = room, trail = { time: [], place: [], box: new THREE.Box3() };
        const full = ribbonMaterial(tint, 0.9, 2.6, screen), faint = ribbonMaterial(tint, 0.4, 1.4, screen);
        let flown = null, ahead = null, size = 0;

        function allot(points) {
                for (const m of [flown, ahead]) if (m) { parent.remove(m); m.geometry.dispose(); }
                size = points;
                const attributes = { position: new Float32Array(12 * size), other: new Float32Array(12 * size), side: new Float32Array(4 * size) };
                const index = new Uint32Array(6 * size);
                for (let i = 0; i < size; i++) {
                        attributes.side.set([1, -1, 1, -1], 4 * i);
                        index.set([0, 1, 2, 0, 2, 3].map((k) => 4 * i + k), 6 * i);
                }
                const shared = Object.entries(attributes).map(([name, array]) => [name, new THREE.BufferAttribute(array, name === "side" ? 1 : 3)]);
                [flown, ahead] = [full, faint].map((material) => {
                        const g = new THREE.BufferGeometry();
                        for (const [name, attribute] of shared) g.setAttribute(name, attribute);
                        g.setIndex(new THREE.BufferAttribute(index, 1));
                        const m = new THREE.Mesh(g, material);
                        m.frustumCulled = false;
                        parent.add(m);
                        return m;
                });
        }

        // The piece from one point to the next.
        function put(i) {
                const { position, other } = flown.geometry.attributes, a = trail.place[i], b = trail.place[i + 1];
                position.array.set([...a, ...a, ...b, ...b], 12 * i);
                other.array.set([...b, ...b, ...a, ...a], 12 * i);
                position.needsUpdate = other.needsUpdate = true;
        }

        function refill() {
                for (let i = 0; i + 1 < trail.place.length; i++) put(i);
        }

        trail.set = (time, place) => {
                [trail.time, trail.place] = [time, place];
                trail.box.makeEmpty();
                for (const p of place) trail.box.expandByPoint(vector(p));
                if (place.length > size) allot(place.length);
                refill();
        };
        trail.add = (t, p) => {
                const last = trail.place.length - 1;
                if (last >= 0 && t <= trail.time[last]) return;
                if (last >= 0 && Math.hypot(...p.map((x, k) => x - trail.place[last][k])) < 0.02) return;
                if (trail.place.length >= most) {
                        // The older half from further apart.
                        const keep = (list) => list.filter((x, i) => i > most / 2 || i % 2 === 0);
                        trail.set(keep(trail.time), keep(trail.place));
                }
                trail.time.push(t);
                trail.place.push(p.slice());
                trail.box.expandByPoint(vector(p));
                if (trail.place.length > 1) put(trail.place.length - 2);
        };
        trail.show = (t, chosen) => {
                let low = 0, high = trail.time.length;
                while (low < high) {
                        const mid = (low + high) >> 1;
                        if (trail.time[mid] <= t) low = mid + 1; else high = mid;
                }
                const pieces = Math.max(trail.place.length - 1, 0), done = Math.min(Math.max(low - 1, 0), pieces);
                flown.geometry.setDrawRange(0, 6 * done);
                ahead.geometry.setDrawRange(6 * done, 6 * (pieces - done));
                full.uniforms.opacity.value = chosen ? 0.9 : 0.45;
                full.uniforms.wide.value = chosen ? 2.6 : 1.5;
        };
        trail.tint = (colour) => { for (const m of [full, faint]) m.uniforms.tint.value = colour; };
        allot(room);
        return trail;
}

return { quaternion, vector, matrixOf, unit, lines, solids, mesh, craft, blade, disk, ring, cone, circle, place, arrow, point, grid, roundStep, Trail };
})();
