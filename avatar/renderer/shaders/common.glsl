// Shared by all materials. Pictures are written as BT.709 limited range Y'CbCr, so that no later
// pass has to convert; blending in it equals blending in R'G'B', because the matrix is affine.

vec3 ycbcr(vec3 rgb) {
    float y = dot(rgb, vec3(0.2126, 0.7152, 0.0722));
    return vec3(
        16.0 + 219.0 * y,
        128.0 + 224.0 * (rgb.b - y) / 1.8556,
        128.0 + 224.0 * (rgb.r - y) / 1.5748) / 255.0;
}

// Linear light to display values: a little more saturation, then the filmic curve of
// Narkowicz (2015, "ACES filmic tone mapping curve") and a square root for gamma.
vec3 tone(vec3 light) {
    light *= mix(vec3(1.0), light * 3.0 / (light.r + light.g + light.b + 1e-3), 0.10);
    vec3 x = light * EXPOSURE;
    return sqrt(clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0));
}

vec4 shown(vec3 light, float alpha) {
#ifdef PARTS
    return vec4(ycbcr(PART_COLOUR), 1.0);
#else
    return vec4(ycbcr(tone(light)), alpha);
#endif
}

vec3 ambient(vec3 n) {
    return mix(GROUND, SKY, n.z * 0.5 + 0.5);
}
