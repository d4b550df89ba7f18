"""Names of the local changes of the `anny` body package; a pair of sides is one name."""

from typing import Final

CHANGES: Final = frozenset(
    """
    breast-dist-incr breast-point-incr breast-trans-up breast-volume-vert-up bulge-incr
    buttocks-volume-incr cheek-bones-incr cheek-inner-incr cheek-trans-up cheek-volume-incr
    chin-bones-incr chin-cleft-incr chin-height-incr chin-jaw-drop-incr chin-prognathism-incr
    chin-prominent-incr chin-width-incr ear-flap-incr ear-lobe-incr ear-rot-forward
    ear-scale-depth-incr ear-scale-incr ear-scale-vert-incr ear-shape-round ear-shape-triangle
    ear-trans-forward ear-trans-up ear-wing-incr eye-bag-height-incr eye-bag-incr eye-bag-out
    eye-corner1-up eye-corner2-up eye-epicanthus-out eye-eyefold-angle-up eye-eyefold-up
    eye-height1-incr eye-height2-incr eye-height3-incr eye-push1-out eye-push2-out
    eye-scale-incr eye-trans-out eye-trans-up eyebrows-angle-up eyebrows-trans-forward
    eyebrows-trans-up foot-scale-depth-incr foot-scale-horiz-incr foot-scale-incr
    foot-scale-vert-incr foot-trans-forward foot-trans-out foot-trans-up forehead-nubian-incr
    forehead-scale-vert-incr forehead-temple-incr forehead-trans-forward
    hand-fingers-diameter-incr hand-fingers-distance-incr hand-fingers-length-incr
    hand-scale-incr hand-trans-out head-age-incr head-angle-out head-back-scale-depth-incr
    head-fat-incr head-scale-depth-incr head-scale-horiz-incr head-scale-vert-incr
    head-trans-forward head-trans-out head-trans-up hip-scale-depth-incr hip-scale-horiz-incr
    hip-scale-vert-incr hip-trans-forward hip-trans-out hip-trans-up hip-waist-up
    leg-valgus-incr lowerarm-fat-incr lowerarm-muscle-incr lowerarm-scale-depth-incr
    lowerarm-scale-horiz-incr lowerarm-scale-vert-incr lowerleg-fat-incr lowerleg-muscle-incr
    lowerleg-scale-depth-incr lowerleg-scale-horiz-incr lowerleg-scale-vert-incr
    lowerlegs-height-incr measure-ankle-circ-incr measure-bust-circ-incr measure-calf-circ-incr
    measure-frontchest-dist-incr measure-hips-circ-incr measure-knee-circ-incr
    measure-lowerarm-length-incr measure-lowerleg-height-incr measure-napetowaist-dist-incr
    measure-neck-circ-incr measure-neck-height-incr measure-shoulder-dist-incr
    measure-thigh-circ-incr measure-underbust-circ-incr measure-upperarm-circ-incr
    measure-upperarm-length-incr measure-upperleg-height-incr measure-waist-circ-incr
    measure-waisttohip-dist-incr measure-wrist-circ-incr mouth-angles-up mouth-cupidsbow-incr
    mouth-cupidsbow-width-incr mouth-dimples-out mouth-laugh-lines-out mouth-lowerlip-ext-up
    mouth-lowerlip-height-incr mouth-lowerlip-middle-up mouth-lowerlip-volume-incr
    mouth-lowerlip-width-incr mouth-philtrum-volume-incr mouth-scale-depth-incr
    mouth-scale-horiz-incr mouth-scale-vert-incr mouth-trans-forward mouth-trans-out
    mouth-trans-up mouth-upperlip-ext-up mouth-upperlip-height-incr mouth-upperlip-middle-up
    mouth-upperlip-volume-incr mouth-upperlip-width-incr neck-back-scale-depth-incr
    neck-double-incr neck-scale-depth-incr neck-scale-horiz-incr neck-scale-vert-incr
    neck-trans-forward neck-trans-out neck-trans-up nose-base-up nose-compression-uncompress
    nose-curve-convex nose-flaring-incr nose-greek-incr nose-hump-incr nose-nostrils-angle-up
    nose-nostrils-width-incr nose-point-up nose-point-width-incr nose-scale-depth-incr
    nose-scale-horiz-incr nose-scale-vert-incr nose-septumangle-incr nose-trans-forward
    nose-trans-out nose-trans-up nose-volume-incr nose-width1-incr nose-width2-incr
    nose-width3-incr pelvis-tone-incr stomach-navel-out stomach-navel-up stomach-pregnant-incr
    stomach-tone-incr torso-muscle-dorsi-incr torso-muscle-pectoral-incr torso-scale-depth-incr
    torso-scale-horiz-incr torso-scale-vert-incr torso-trans-forward torso-trans-out
    torso-trans-up torso-vshape-incr upperarm-fat-incr upperarm-muscle-incr
    upperarm-scale-depth-incr upperarm-scale-horiz-incr upperarm-scale-vert-incr
    upperarm-shoulder-muscle-incr upperleg-fat-incr upperleg-muscle-incr
    upperleg-scale-depth-incr upperleg-scale-horiz-incr upperleg-scale-vert-incr
    upperlegs-height-incr
    """.split()  # noqa: SIM905  one name a line would be three pages
)
