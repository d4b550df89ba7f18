// A picture out of focus: a disc of samples whose width alpha says, bright ones counting more, as
// lights do on film.

#ifdef VERTEX
in vec2 corner;
out vec2 uv;
void main() { uv = corner * 0.5 + 0.5; gl_Position = vec4(corner, 0.0, 1.0); }
#else
uniform sampler2D plate;
uniform vec2 radius;  // of the widest disc, in texture coordinates
uniform float level;  // of detail that samples at that width are to have, so that they meet
in vec2 uv;
out vec4 colour;
void main() {
    vec4 middle = texture(plate, uv);
    vec2 wide = radius * middle.a;
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int i = 0; i < 22; i++) {
        float k = float(i) + 0.5;
        float turn = 2.3999632 * k;
        vec2 at = uv + wide * sqrt(k / 22.0) * vec2(cos(turn), sin(turn));
        vec4 tap = textureLod(plate, at, level * middle.a);
        // What is sharp does not bleed into what is not.
        float weight = (0.25 + tap.r * tap.r * tap.r) * clamp(tap.a * 4.0, 0.05, 1.0);
        sum += tap.rgb * weight;
        total += weight;
    }
    colour = vec4(sum / total, 0.0);
}
#endif
