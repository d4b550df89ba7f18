// The dark patch under feet: nothing but coverage. baked.z: how dark, 0 to 1.

#ifdef VERTEX
out float dark;

void main() {
    vec3 p, n;
    deform(p, n);
    dark = baked.z;
}
#else
in float dark;
out vec4 colour;

void main() {
#ifdef PARTS
    discard;
#endif
    colour = shown(vec3(0.012, 0.010, 0.012), dark);
}
#endif
