// The page as a film: without what is there to be touched, at one moment after the other, as `hilrig view --record` asks; it makes
// frames of VP8 of the pictures that were taken of it.

const Film = (store, show) => {
        let encoder = null, frames = [];

        const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        // btoa() takes no more at once than a call has arguments.
        const base64 = (all) => btoa(Array.from({ length: Math.ceil(all.length / 8192) }, (_, i) => String.fromCharCode(...all.subarray(8192 * i, 8192 * (i + 1)))).join(""));

        function open(width, height) {
                encoder = new VideoEncoder({
                        output(chunk) {
                                const data = new Uint8Array(chunk.byteLength);
                                chunk.copyTo(data);
                                frames.push(data);
                        },
                        error(e) { throw e; },
                });
                encoder.configure({ codec: "vp8", width, height, bitrate: 4e6, framerate: 25, latencyMode: "realtime" });
        }

        return {
                // When all of the run is there: how long it is, in s.
                async begin() {
                        while (!store.end) await new Promise((done) => setTimeout(done, 50));
                        return store.end_s();
                },
                async show(t) {
                        show(t);
                        await new Promise(requestAnimationFrame);
                        return true;
                },
                async encode(png, t_ms, keyFrame) {
                        const picture = await createImageBitmap(new Blob([bytes(png)], { type: "image/png" }));
                        if (!encoder) open(picture.width, picture.height);
                        const frame = new VideoFrame(picture, { timestamp: 1000 * t_ms });
                        encoder.encode(frame, { keyFrame });
                        frame.close();
                        picture.close();
                        await encoder.flush();
                        return base64(frames.shift());
                },
        };
};
