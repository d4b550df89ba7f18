// The backdrop: a vertical gradient, a pool of light behind the head, soft discs out of focus,
// and a little noise so that the gradient does not band.

#ifdef VERTEX
in vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }
#else
uniform vec3 top;
uniform vec3 bottom;
uniform vec2 size;
uniform vec2 pool;  // centre of the pool of light, in picture heights from the middle and below
out vec4 colour;

float hash(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }

void main() {
    vec2 at = vec2(gl_FragCoord.x - 0.5 * size.x, gl_FragCoord.y) / size.y;
    float up = gl_FragCoord.y / size.y;
    vec3 c = mix(bottom, top, smoothstep(0.0, 1.0, up));
    vec2 away = (at - pool) / vec2(0.42, 0.46);
    c += (vec3(1.0, 0.985, 0.96) - c) * 0.50 * exp(-dot(away, away));
    for (int i = 0; i < 18; i++) {
        float f = float(i);
        vec2 centre = vec2((hash(vec2(f, 1.0)) - 0.5) * max(1.2, size.x / size.y), hash(vec2(f, 2.0)));
        float radius = 0.020 + 0.035 * hash(vec2(f, 3.0));
        float disc = smoothstep(radius, radius * 0.72, length(at - centre));
        c += disc * 0.035 * hash(vec2(f, 4.0)) * vec3(1.0, 0.95, 0.85);
    }
    float edge = max(length((at - vec2(0.0, 0.5)) * vec2(0.9, 1.0)) - 0.28, 0.0);
    c *= 1.0 - 0.30 * edge;
    c += (hash(gl_FragCoord.xy) - 0.5) * (1.5 / 255.0);
#ifdef PARTS
    c = PART_COLOUR;
#endif
    colour = vec4(ycbcr(clamp(c, 0.0, 1.0)), 1.0);
}
#endif
