// Y plane, four pixels a fragment, top row first. With EDGES, pixels on a step of brightness are
// blended with their neighbours along the step, which hides the stairs of an edge.

#ifdef VERTEX
in vec2 corner;  // pixels from the top left
uniform vec2 scale;
void main() { gl_Position = vec4(corner * scale - 1.0, 0.0, 1.0); }
#else
uniform sampler2D frame;
uniform ivec2 last;   // last column and row of the picture
uniform vec2 step_size;  // one picture pixel in texture coordinates
out vec4 four;

float at(ivec2 p) {
#ifdef SCALED
    return texture(frame, (vec2(clamp(p, ivec2(0), last)) + 0.5) * step_size).r;
#else
    return texelFetch(frame, clamp(p, ivec2(0), last), 0).r;
#endif
}

#ifdef EDGES
float smoothed(float nw, float n, float ne, float w, float m, float e, float sw, float s, float se) {
    float gx = (nw + 2.0 * w + sw) - (ne + 2.0 * e + se);
    float gy = (sw + 2.0 * s + se) - (nw + 2.0 * n + ne);
    float ax = abs(gx), ay = abs(gy);
    float diagonal = gx * gy > 0.0 ? nw + se : ne + sw;
    float along = ax > ay ? n + s : w + e;
    along = min(ax, ay) * 2.0 > max(ax, ay) ? diagonal : along;
    float share = clamp((max(ax, ay) - EDGE_START) * EDGE_GAIN, 0.0, 0.6);
    return mix(m, 0.5 * along, share);
}
#endif

void main() {
    ivec2 p = ivec2(4 * int(gl_FragCoord.x), last.y - int(gl_FragCoord.y));
#ifdef EDGES
    float a[6], b[6], c[6];
    for (int i = 0; i < 6; i++) {
        a[i] = at(p + ivec2(i - 1, 1));
        b[i] = at(p + ivec2(i - 1, 0));
        c[i] = at(p + ivec2(i - 1, -1));
    }
    four = vec4(
        smoothed(a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]),
        smoothed(a[1], a[2], a[3], b[1], b[2], b[3], c[1], c[2], c[3]),
        smoothed(a[2], a[3], a[4], b[2], b[3], b[4], c[2], c[3], c[4]),
        smoothed(a[3], a[4], a[5], b[3], b[4], b[5], c[3], c[4], c[5]));
#else
    four = vec4(at(p), at(p + ivec2(1, 0)), at(p + ivec2(2, 0)), at(p + ivec2(3, 0)));
#endif
}
#endif
