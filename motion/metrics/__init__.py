"""Metrics: how good a motion is, in numbers.

Every function takes plain arrays (positions [T, J, 3] in metres, features [N, D], times in seconds)
and knows nothing of corpora or models. Nothing here says "good": a figure is read beside the same
figure of true motion, and beside its spread where one is given. `networks`, `autoencoder` and
`recognition` need torch; the others numpy and scipy alone.

| metric | where | what it is | better |
|---|---|---|---|
| Frechet distance, FID | `frechet.frechet_distance` | (m1-m2)^2 + tr(C1+C2-2(C1 C2)^1/2) | low |
| its spread, its floor | `frechet.bootstrap`, `split_floor` | by resampling; of halves | small |
| FGD, local | `autoencoder.fgd` | that distance in a motion autoencoder's latent | low |
| lost in the latent | `MotionAutoencoder.unexplained` | share of variance not kept | as true |
| beat constancy | `beats.clip_constancy` | mean exp(-d^2 / 2 0.3^2) of beats to onsets | > chance |
| L1 diversity | `diversity.l1_diversity` | mean over frames of sum abs(x - mean) | as true |
| clip diversity | `diversity.clip_diversity` | mean L1 distance of two clips, a frame | as true |
| face MSE | `face.face_mse` | mean squared error | low |
| LVD | `face.landmark_velocity_difference` | mean abs difference of change a frame | low |
| jerk | `smoothness.mean_jerk` | mean norm of third differences, times fps^3 | as true |
| speeds | `smoothness.speed_statistics` | mean, deviation, median, 95 %, highest | as true |
| boundary jerk | `smoothness.boundary_jerk` | jerk across chunk boundaries / within | <= 1.2 |
| limits | `smoothness.limit_violations` | share of joints beyond their limits | 0 |
| foot skate | `contact.foot_skate` | share and speed of sliding of feet that stand | 0 |
| SRGR | `semantic.semantic_relevance_recall` | share of joints within 0.1 m, by meaning | high |
| R-precision | `text_motion.r_precision` | own motion among the nearest 1, 2, 3 of 32 | > k/32 |
| MM-Dist | `text_motion.matching_distance` | mean distance of a text and its motion | low |
| diversity, multimodality | `text_motion` | distance of pairs: of all, of one text | as true |
| action accuracy | `recognition.recognition` | share a classifier recognises; confusion | high |
| drift ratio | `drift.drift` | distance to minute 1 / spread of minute 1 | <= 1 |
| trend | `trend.trend` | least squares slope with its interval | 0 within |
"""
