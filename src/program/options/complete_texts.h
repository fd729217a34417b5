/* complete_texts.h — the scripts complete.bash, .zsh and .fish as text. */
#pragma once

extern const char complete_bash_text[], complete_zsh_text[], complete_fish_text[];
