package io.github.penstock.glide;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests that need GLIDE's native library, which it has for these platforms. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledOnOs(
    value = {OS.LINUX, OS.MAC, OS.WINDOWS},
    architectures = {"amd64", "x86_64", "aarch64"},
    disabledReason = "optional: GLIDE has no native library for this platform")
@interface GlidePlatform {}
