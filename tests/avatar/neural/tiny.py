"""Pipelines of the real classes with a few thousand random weights, made from configurations."""

import importlib
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from avatar.neural.qwen import make_processor

# Taken as they come: their constructors carry no types.
diffusers: Any = importlib.import_module("diffusers")
transformers: Any = importlib.import_module("transformers")

_BYTES = sorted(pre_tokenizers.ByteLevel.alphabet())


def flux(folder: Path) -> Path:
    """Write a `FluxKontextInpaintPipeline`; return its folder."""
    torch.manual_seed(0)
    transformer = diffusers.FluxTransformer2DModel(
        in_channels=16, num_layers=1, num_single_layers=1, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=32, pooled_projection_dim=32,
        axes_dims_rope=(4, 6, 6), guidance_embeds=True,
    )  # fmt: skip
    vae = diffusers.AutoencoderKL(
        latent_channels=4, block_out_channels=(8,), norm_num_groups=4, layers_per_block=1,
        shift_factor=0.06, scaling_factor=1.5, use_quant_conv=False, use_post_quant_conv=False,
        sample_size=32,
    )  # fmt: skip
    clip = transformers.CLIPTextModel(
        transformers.CLIPTextConfig(
            hidden_size=32,
            intermediate_size=37,
            num_attention_heads=4,
            num_hidden_layers=2,
            vocab_size=600,
            max_position_embeddings=77,
            projection_dim=32,
            bos_token_id=0,
            eos_token_id=1,
            pad_token_id=1,
        )
    )
    t5 = transformers.T5EncoderModel(
        transformers.T5Config(
            vocab_size=600,
            d_model=32,
            d_kv=8,
            d_ff=37,
            num_heads=4,
            num_layers=2,
        )
    )
    pipeline = diffusers.FluxKontextInpaintPipeline(
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(),
        vae=vae,
        text_encoder=clip,
        tokenizer=_clip_tokens(),
        text_encoder_2=t5,
        tokenizer_2=_t5_tokens(),
        transformer=transformer,
    )
    return _written(pipeline, folder)


def qwen(folder: Path) -> Path:
    """Write a `QwenImageEditPlusPipeline`; return its folder."""
    torch.manual_seed(0)
    words = [
        "<|endoftext|>",
        "<|image_pad|>",
        "<|video_pad|>",
        "<|vision_start|>",
        "<|vision_end|>",
    ]
    vocabulary = {word: i for i, word in enumerate([*words, *_BYTES])}
    tokens = transformers.Qwen2Tokenizer(vocab=vocabulary, merges=[])
    tokens.add_special_tokens({"additional_special_tokens": words[1:]})
    pixels = transformers.Qwen2VLImageProcessorPil(
        patch_size=14, merge_size=2, temporal_patch_size=2, min_pixels=784, max_pixels=784 * 4
    )
    processor = make_processor(tokens, pixels)
    config = transformers.Qwen2_5_VLConfig(
        text_config={
            "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2,
            "num_attention_heads": 2, "num_key_value_heads": 2, "vocab_size": len(tokens),
            "rope_parameters": {"rope_type": "default", "mrope_section": [2, 3, 3]},
        },
        vision_config={
            "depth": 2, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2,
            "out_hidden_size": 32, "fullatt_block_indexes": [1],
        },
        image_token_id=tokens.convert_tokens_to_ids("<|image_pad|>"),
        video_token_id=tokens.convert_tokens_to_ids("<|video_pad|>"),
        vision_start_token_id=tokens.convert_tokens_to_ids("<|vision_start|>"),
        vision_end_token_id=tokens.convert_tokens_to_ids("<|vision_end|>"),
    )  # fmt: skip
    pipeline = diffusers.QwenImageEditPlusPipeline(
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(),
        vae=diffusers.AutoencoderKLQwenImage(
            base_dim=8, z_dim=4, dim_mult=[1, 1, 1, 1], num_res_blocks=1,
            temperal_downsample=[False, True, True], latents_mean=[0.0] * 4, latents_std=[1.0] * 4,
        ),
        text_encoder=transformers.Qwen2_5_VLForConditionalGeneration(config),
        tokenizer=tokens,
        processor=processor,
        transformer=diffusers.QwenImageTransformer2DModel(
            patch_size=2, in_channels=16, out_channels=4, num_layers=1, attention_head_dim=16,
            num_attention_heads=2, joint_attention_dim=32, axes_dims_rope=(4, 6, 6),
        ),
    )  # fmt: skip
    return _written(pipeline, folder)


def wan(folder: Path) -> Path:
    """Write a `WanAnimatePipeline`; return its folder."""
    torch.manual_seed(0)
    channels = {"4": 8, "8": 8, "16": 8, "32": 8, "64": 8, "128": 8, "256": 8, "512": 8}
    vision = transformers.CLIPVisionModel(
        transformers.CLIPVisionConfig(
            hidden_size=16,
            intermediate_size=16,
            projection_dim=16,
            num_attention_heads=2,
            num_hidden_layers=2,
            image_size=32,
            patch_size=16,
        )
    )
    pipeline = diffusers.WanAnimatePipeline(
        tokenizer=_t5_tokens(),
        text_encoder=transformers.UMT5EncoderModel(
            transformers.UMT5Config(
                vocab_size=600, d_model=16, d_kv=8, d_ff=16, num_heads=2, num_layers=1
            )
        ),
        vae=diffusers.AutoencoderKLWan(
            base_dim=4, z_dim=4, dim_mult=[1, 1, 1, 1], num_res_blocks=1,
            temperal_downsample=[False, True, True], latents_mean=[0.0] * 4, latents_std=[1.0] * 4,
        ),
        scheduler=diffusers.UniPCMultistepScheduler(flow_shift=5.0, use_flow_sigmas=True,
                                                    prediction_type="flow_prediction"),
        image_processor=transformers.CLIPImageProcessorPil(
            size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
        ),
        image_encoder=vision,
        transformer=diffusers.WanAnimateTransformer3DModel(
            patch_size=(1, 2, 2), num_attention_heads=2, attention_head_dim=12, in_channels=12,
            latent_channels=4, out_channels=4, text_dim=16, freq_dim=32, ffn_dim=16, num_layers=2,
            image_dim=16, added_kv_proj_dim=24, motion_encoder_channel_sizes=channels,
            motion_encoder_size=16, motion_style_dim=8, motion_dim=4, motion_encoder_dim=8,
            face_encoder_hidden_dim=16, face_encoder_num_heads=2, inject_face_latents_blocks=2,
        ),
    )  # fmt: skip
    return _written(pipeline, folder)


def _written(pipeline: Any, folder: Path) -> Path:
    pipeline.save_pretrained(folder)
    return folder


def _clip_tokens() -> Any:
    words = ["<|startoftext|>", "<|endoftext|>", *_BYTES, *(f"{b}</w>" for b in _BYTES)]
    vocabulary = {word: i for i, word in enumerate(words)}
    return transformers.CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=77)


def _t5_tokens() -> Any:
    made = Tokenizer(models.Unigram([("<pad>", 0.0), ("</s>", 0.0), ("<unk>", -9.0),
                                     *((b, -2.0) for b in _BYTES)], unk_id=2))  # fmt: skip
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="</s>", unk_token="<unk>",
        model_max_length=64,
    )  # fmt: skip
