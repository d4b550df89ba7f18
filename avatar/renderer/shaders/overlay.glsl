// A panel over the finished figure: premultiplied Y'CbCr, blended; alpha of the frame is kept.

#ifdef VERTEX
in vec2 corner;
uniform vec4 box;  // left, bottom, right, top in clip space
uniform vec4 part; // of the texture
out vec2 uv;
void main() {
    vec2 at = corner * 0.5 + 0.5;
    uv = mix(part.xy, part.zw, at);
    gl_Position = vec4(mix(box.xy, box.zw, at), 0.0, 1.0);
}
#else
uniform sampler2D panel;
uniform float strength;
in vec2 uv;
out vec4 colour;
void main() { colour = texture(panel, uv) * strength; }
#endif
