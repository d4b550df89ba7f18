// A painted backdrop: a vertical gradient, a pool of light behind the head, soft discs out of
// focus, and a little noise so that the gradient does not band. Alpha 0: nothing of the figure.

#ifdef VERTEX
in vec2 corner;
uniform vec4 window;  // left, bottom, right, top of what is painted; the frame is -1 to 1
uniform float aspect;
out vec2 place;  // in picture heights: from the middle, and up from the bottom edge
void main() {
    vec2 at = mix(window.xy, window.zw, corner * 0.5 + 0.5);
    place = vec2(0.5 * aspect * at.x, 0.5 + 0.5 * at.y);
    gl_Position = vec4(corner, 0.0, 1.0);
}
#else
uniform vec3 top;
uniform vec3 bottom;
uniform float aspect;
uniform vec2 pool;  // centre of the pool of light
uniform float glow;
uniform float discs;
uniform float noise;
in vec2 place;
out vec4 colour;

float hash(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }

void main() {
#ifdef PARTS
    colour = vec4(ycbcr(PART_COLOUR), 0.0);
#else
    vec3 c = mix(bottom, top, smoothstep(0.0, 1.0, place.y));
    vec2 away = (place - pool) / vec2(0.42, 0.46);
    c += (vec3(1.0, 0.985, 0.96) - c) * glow * exp(-dot(away, away));
    if (discs > 0.0) {
        for (int i = 0; i < 18; i++) {
            float f = float(i);
            vec2 centre = vec2((hash(vec2(f, 1.0)) - 0.5) * max(1.2, aspect), hash(vec2(f, 2.0)));
            float radius = 0.020 + 0.035 * hash(vec2(f, 3.0));
            float disc = smoothstep(radius, radius * 0.72, length(place - centre));
            c += disc * discs * 0.035 * hash(vec2(f, 4.0)) * vec3(1.0, 0.95, 0.85);
        }
        float edge = max(length((place - vec2(0.0, 0.5)) * vec2(0.9, 1.0)) - 0.28, 0.0);
        c *= 1.0 - 0.30 * edge;
    }
    c += noise * (hash(gl_FragCoord.xy) - 0.5) * (1.5 / 255.0);
    colour = vec4(ycbcr(clamp(c, 0.0, 1.0)), 0.0);
#endif
}
#endif
