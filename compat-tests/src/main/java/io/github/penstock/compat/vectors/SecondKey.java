package io.github.penstock.compat.vectors;

import com.google.gson.annotations.SerializedName;
import io.github.penstock.testkit.model.StoredValue;
import org.jspecify.annotations.Nullable;

/**
 * Another key that a call works on, which is written whenever the first is.
 *
 * @param name its short name, which the runner makes unique
 * @param before the value to put under it before the call; null to leave the current one
 * @param stored the value under it afterwards
 */
public record SecondKey(
    @SerializedName("key") String name, @Nullable StoredValue before, StoredValue stored) {}
