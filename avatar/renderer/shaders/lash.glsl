// Lashes: dark hairs, blended.

#ifdef VERTEX
in vec2 uv;
out vec2 place;

void main() {
    vec3 p, n;
    deform(p, n);
    place = uv;
}
#else
in vec2 place;
uniform sampler2D picture;
out vec4 colour;

void main() {
    float cover = texture(picture, place).r;
#ifdef PARTS
    if (cover < 0.5) discard;
#endif
    colour = shown(vec3(0.004, 0.003, 0.003), cover);
}
#endif
